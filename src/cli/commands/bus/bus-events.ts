import type { Reply } from "../../../api/index.ts";
import { printRow } from "../../nouns/view.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { routeLines } from "./route-outcomes.ts";

export function printEvent(io: Io, options: OutputOptions, event: Reply<"bus-events.get">): void {
  const { routes } = event;
  printRow(io, options, "bus-events", event, () => [
    section("event", event.event),
    routes.length > 0 ? section("routes", routeLines(routes, options.output === "wide")) : "",
  ]);
}
