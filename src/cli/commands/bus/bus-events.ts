import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { viewOf } from "../../nouns/view.ts";
import { type OutputOptions, printOne, section } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { routeLines } from "./route-outcomes.ts";

type EventDetail = Reply<"bus-events.get">;

export function printEvent(io: Io, options: OutputOptions, event: EventDetail): void {
  const { routes } = event;
  printOne(
    io,
    options,
    event,
    viewOf<EventDetail>(nouns["bus-events"]),
    () =>
      section("event", event.event) +
      (routes.length > 0 ? section("routes", routeLines(routes, options.output === "wide")) : ""),
  );
}
