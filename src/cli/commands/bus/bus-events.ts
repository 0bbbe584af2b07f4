// `platformctl events …`: what came in, and what came of it. Publishing and the tail have files of their own.

import { eventFiltersOf } from "../../bus/event-filters.ts";
import { busEventView, printEvent } from "../../bus/events.ts";
import type { Invocation } from "../../command.ts";
import { type OutputOptions, printList } from "../../output/output.ts";
import { pageOf } from "../../output/paging.ts";

export async function listEvents(invocation: Invocation): Promise<void> {
  const { io, options, client } = invocation;
  if (options.tail) return (await import("./event-tail.ts")).tailEvents(invocation);
  const api = await client();
  const filters = await eventFiltersOf(io, api, options);
  const query = { ...pageOf(options), ...filters };
  const { data, pagination } = await api.page("bus-events.list", { query });
  printList(io, options as OutputOptions, data, busEventView, { pagination, filters });
}

export async function getEvent({ io, args, options, client }: Invocation): Promise<void> {
  const eventId = args[0] ?? "";
  const event = await (await client()).call("bus-events.get", { params: { eventId } });
  printEvent(io, options as OutputOptions, event);
}
