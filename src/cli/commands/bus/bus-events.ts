// `platformctl events …`: what came in, and what came of it. Publishing and the tail have files of their own.

import type { ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import { eventFiltersOf, type ListedEvent } from "../../bus/event-filters.ts";
import { outcomeOf, routeLines } from "../../bus/route-outcomes.ts";
import type { Invocation } from "../../command.ts";
import {
  type ListView,
  type OutputOptions,
  printList,
  printOne,
  section,
} from "../../output/output.ts";
import { pageOf } from "../../output/paging.ts";
import type { Io } from "../../terminal/io.ts";

type EventDetail = ReplyData<Routes["bus-events.get"]>;

export const busEventView: ListView<ListedEvent> = {
  columns: [
    { name: "id", value: (event) => event.id, kind: "key" },
    { name: "type", value: (event) => event.type },
    { name: "source", value: (event) => event.source },
    { name: "subject", value: (event) => event.subject },
    { name: "received", value: (event) => event.receivedAt, kind: "time" },
    { name: "outcome", value: (event) => outcomeOf(event.routes) },
    { name: "depth", value: (event) => event.depth, wide: true },
    { name: "cause", value: (event) => event.causationId, wide: true },
    { name: "correlation", value: (event) => event.correlationId, wide: true },
    { name: "source id", value: (event) => event.sourceEventId, wide: true },
    { name: "agent", value: (event) => event.agentId, kind: "key", wide: true },
  ],
  nameOf: (event) => event.id,
  whenEmpty: "No events. Agents publish them, or: platformctl events publish",
};

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

export function printEvent(io: Io, options: OutputOptions, event: EventDetail): void {
  const { routes } = event;
  printOne(
    io,
    options,
    event,
    busEventView,
    () =>
      section("event", event.event) +
      (routes.length > 0 ? section("routes", routeLines(routes, options.output === "wide")) : ""),
  );
}
