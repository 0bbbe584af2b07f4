// `events list --tail` follows the audit trail, because the transaction that stores an event also
// writes its audit row. Event ids are created earlier, so their order can differ.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Query, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import { filtersOf } from "../../nouns/filters.ts";
import { viewed } from "../../nouns/run.ts";
import { viewOf } from "../../nouns/view.ts";
import { growingOutput } from "../../output/growing-output.ts";
import { hasValues, isBetween } from "../audit/filters.ts";
import { followTrail, headOfTrail } from "../audit/trail.ts";

type ListedEvent = Reply<"bus-events.list">[number];
type EventFilters = Omit<NonNullable<Query<"bus-events.list">>, "page" | "pageSize" | "before">;

export async function tailEvents({ io, options, client, signal }: Invocation): Promise<never> {
  if (options.output === "csv") throw usageError("--tail prints no CSV: use -o jsonl.");
  if (options.page !== 1) throw usageError("--tail has no pages: leave out --page.");
  if (options.all === true) throw usageError("--tail has no end: leave out --all.");
  if (options.before !== undefined) {
    throw usageError("--tail starts with the newest events: leave out --before.");
  }
  const api = await client();
  const noun = nouns["bus-events"];
  const columns = viewOf<ListedEvent>(noun);
  const asked = await filtersOf(io, api, noun, options);
  const shown = await viewed({ io, options }, api, "bus-events", columns, asked);
  const filters: EventFilters = shown.query;
  if (filters.to !== undefined) {
    throw usageError("--tail has no end: leave out --to, or the view that sets it.");
  }
  // In a view, this can be a code, which the events do not have.
  if (filters.agentId) filters.agentId = await resolve(api, nouns.agents, filters.agentId);
  const print = growingOutput(io, shown.options, columns, signal);
  const last = await headOfTrail(api);
  const query = { ...filters, pageSize: options.limit as number };
  const newest = (await api.call("bus-events.list", { query })).reverse();
  await print(newest);
  // An event that arrives between the two reads is in both results.
  const printed = new Set(newest.map(({ id }) => id));
  return followTrail(api, {
    filters: { action: "bus.event.received" },
    last,
    // Each row needs a call. If a call fails, the rows before it are not read again.
    takesAtOnce: 1,
    take: async ([row]) => {
      const event = await findEvent(api, row?.targetId ?? "");
      if (event && !printed.has(event.id) && matchesFilters(filters, event)) await print([event]);
    },
    io,
    signal,
  });
}

/** Returns null for an expired event. */
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

/** Returns whether the API would list the event with these filters. */
function matchesFilters(filters: EventFilters, event: ListedEvent): boolean {
  const { routeId, from, to, ...exact } = filters;
  return (
    (routeId === undefined || event.routes.some((match) => match.routeId === routeId)) &&
    isBetween(event.receivedAt, from, to) &&
    hasValues(event, exact)
  );
}
