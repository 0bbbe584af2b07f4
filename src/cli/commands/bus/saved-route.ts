import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { getNamed } from "../../names/resolve.ts";
import { noteWarnings, printRow } from "../../nouns/view.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";

export type Route = Reply<"bus-routes.get">;
type SavedRoute = Reply<"bus-routes.update">;
export type Rule = Body<"bus-routes.create">;

export function findRoute(api: Client, text: string): Promise<Route> {
  return getNamed(api, "bus-routes", text);
}

export function ruleOf({ name, description, state, match, target, payload }: Route): Rule {
  const described = description === undefined ? {} : { description };
  return { name, ...described, state, match, target, ...(payload ? { payload } : {}) };
}

/** Throws VERSION_CONFLICT if the route was changed in the meantime. */
export function replaceRoute(
  api: Client,
  routeId: string,
  rule: Rule,
  version: number,
): Promise<SavedRoute> {
  return api.call("bus-routes.update", { params: { routeId }, body: { ...rule, version } });
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
