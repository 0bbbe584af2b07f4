import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { noteWarnings, printRow } from "../../nouns/view.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";

export type Route = Reply<"bus-routes.get">;
type SavedRoute = Reply<"bus-routes.update">;
export type Rule = Body<"bus-routes.create">;

/** Throws VERSION_CONFLICT if the route was changed in the meantime. */
export function replaceRoute(
  api: Client,
  routeId: string,
  rule: JsonObject,
  version: number,
): Promise<SavedRoute> {
  const body = { ...(rule as unknown as Rule), version };
  return api.call("bus-routes.update", { params: { routeId }, body });
}

export function printSaved(io: Io, options: OutputOptions, saved: SavedRoute, doWarn = true): void {
  printRoute(io, options, saved);
  if (doWarn) noteWarnings(io, options, saved.warnings);
}

export function printRoute(io: Io, options: OutputOptions, route: Route): void {
  printRow(io, options, "bus-routes", route, () => [
    route.match.data ? section("data", route.match.data) : "",
    route.payload ? section("payload", route.payload) : "",
  ]);
}
