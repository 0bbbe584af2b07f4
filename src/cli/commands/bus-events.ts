// `platformctl events …`: what came in, and what came of it. Publishing has a file of its own.

import type { Routes } from "../../api/index.ts";
import type { QueryInput, ReplyData } from "../../api/route.ts";
import type { Invocation } from "../command.ts";
import type { Io } from "../io.ts";
import { pastMoment } from "../moments.ts";
import { type ListView, type OutputOptions, printList, printOne, section } from "../output.ts";
import { pageOf } from "../paging.ts";
import { resolveAgent, resolveRoute } from "../resolve.ts";

type Event = ReplyData<Routes["bus-events.list"]>[number];
type EventDetail = ReplyData<Routes["bus-events.get"]>;
type Match = Event["routes"][number];
type Query = NonNullable<QueryInput<Routes["bus-events.list"]>>;

const view: ListView<Event & { duplicate?: boolean }> = {
  columns: [
    { name: "id", value: (event) => event.id, kind: "key" },
    { name: "type", value: (event) => event.type },
    { name: "source", value: (event) => event.source },
    { name: "subject", value: (event) => event.subject },
    { name: "received", value: (event) => event.receivedAt, kind: "time" },
    { name: "outcome", value: (event) => summaryOf(event.routes) },
    { name: "depth", value: (event) => event.depth, wide: true },
    { name: "cause", value: (event) => event.causationId, wide: true },
    { name: "correlation", value: (event) => event.correlationId, wide: true },
    { name: "source id", value: (event) => event.sourceEventId, wide: true },
    { name: "time", value: (event) => event.time, kind: "time", wide: true },
    { name: "agent", value: (event) => event.agentId, kind: "key", wide: true },
  ],
  nameOf: (event) => event.id,
  whenEmpty: "No events. Agents publish them, or: platformctl events publish",
};

export async function listEvents({ io, options, client }: Invocation): Promise<void> {
  const { type, source, agent, route, from, to } = options as Record<string, string | undefined>;
  const api = await client();
  const filters = {
    type,
    source,
    agentId: agent === undefined ? undefined : await resolveAgent(api, agent),
    routeId: route === undefined ? undefined : await resolveRoute(api, route),
    from: from === undefined ? undefined : pastMoment("--from", from, io.now()),
    to: to === undefined ? undefined : pastMoment("--to", to, io.now()),
  };
  const query = { ...pageOf(options), ...filters } as Query;
  const { data, pagination } = await api.page("bus-events.list", { query });
  printList(io, options as OutputOptions, data, view, { pagination, filters });
}

export async function getEvent({ io, args, options, client }: Invocation): Promise<void> {
  const eventId = args[0] ?? "";
  const event = await (await client()).call("bus-events.get", { params: { eventId } });
  printEvent(io, options as OutputOptions, event);
}

export function printEvent(io: Io, options: OutputOptions, event: EventDetail): void {
  printOne(
    io,
    options,
    event,
    view,
    () =>
      section("event", event.event) +
      (event.routes.length > 0 ? section("routes", event.routes.map(lineOf).join("\n")) : ""),
  );
}

const outcomes: Record<Match["outcome"], [one: string, many: string]> = {
  COMMAND_CREATED: ["command", "commands"],
  DRY_RUN: ["dry run", "dry runs"],
  FAILED: ["failed", "failed"],
};

/** `2 commands, 1 failed`; nothing when it matched no route. */
function summaryOf(routes: Match[]): string | null {
  const parts = Object.entries(outcomes).flatMap(([outcome, [one, many]]) => {
    const { length } = routes.filter((match) => match.outcome === outcome);
    return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`];
  });
  return parts.length === 0 ? null : parts.join(", ");
}

function lineOf({ routeId, outcome, commandId, reason }: Match): string {
  return [routeId, outcome, commandId ?? reason ?? ""].join("  ").trimEnd();
}
