// How events of the bus are printed.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { type ListView, type OutputOptions, printOne, section } from "../output/output.ts";
import type { Io } from "../terminal/io.ts";
import type { ListedEvent } from "./event-filters.ts";
import { outcomeOf, routeLines } from "./route-outcomes.ts";

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
