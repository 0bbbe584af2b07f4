// `platformctl events list --tail`: the newest events of the bus, oldest first, and then those that come. Each
// leaves a row in the audit trail in the transaction that stores it: that is what is followed, because the
// ids of events are made before they are stored, and may come in another order.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { filtersOf } from "../../nouns/filters.ts";
import { viewOf } from "../../nouns/view.ts";
import { growingOutput } from "../../output/growing-output.ts";
import type { OutputOptions } from "../../output/output.ts";
import type { AuditEvent } from "../audit/filters.ts";
import { followTrail, headOfTrail } from "../audit/trail.ts";
import { type EventFilters, type ListedEvent, letsThrough } from "./event-filters.ts";

export async function tailEvents({ io, options, client, signal }: Invocation): Promise<never> {
  if (options.page !== 1) throw usageError("with --tail there are no pages: leave out --page.");
  if (options.before !== undefined) {
    throw usageError("with --tail the newest events are the beginning: leave out --before.");
  }
  if (options.to !== undefined) throw usageError("with --tail there is no end: leave out --to.");
  const print = growingOutput(
    io,
    options as OutputOptions,
    viewOf<ListedEvent>(nouns["bus-events"]),
    signal,
  );
  const api = await client();
  const filters: EventFilters = await filtersOf(io, api, nouns["bus-events"], options);
  const position = await headOfTrail(api);
  const newest = await newestEvents(api, filters, options.limit as number);
  await print(newest);
  // One that came between the two looks is in both.
  const printed = new Set(newest.map(({ id }) => id));
  return followTrail(api, {
    filters: { action: "bus.event.received" },
    position,
    // Each row is a call: what was printed before one that fails is not asked for again.
    takesAtOnce: 1,
    take: async (rows) => {
      const events = await eventsOf(api, rows);
      await print(events.filter((event) => !printed.has(event.id) && letsThrough(filters, event)));
    },
    io,
    signal,
  });
}

/** Oldest first. */
async function newestEvents(
  api: Client,
  filters: EventFilters,
  count: number,
): Promise<ListedEvent[]> {
  const query = { ...filters, pageSize: count };
  return (await api.call("bus-events.list", { query })).reverse();
}

/** The events that these rows are about, in their order; without those that are past their time. */
async function eventsOf(api: Client, rows: AuditEvent[]): Promise<ListedEvent[]> {
  const events: ListedEvent[] = [];
  for (const { targetId } of rows) {
    const event = await findEvent(api, targetId ?? "");
    if (event) events.push(event);
  }
  return events;
}

/** As the list has it. */
async function findEvent(api: Client, eventId: string): Promise<ListedEvent | null> {
  try {
    const { event: _envelope, ...listed } = await api.call("bus-events.get", {
      params: { eventId },
    });
    return listed;
  } catch (error) {
    if (error instanceof AppError && error.code === "BUS_EVENT_NOT_FOUND") return null;
    throw error;
  }
}
