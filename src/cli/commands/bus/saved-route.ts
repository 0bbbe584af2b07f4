// Routes of the bus as commands find, change and print them.

import { nouns } from "../../../api/contract/nouns.ts";
import type { BodyInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import { resolveRoute } from "../../names/resolve.ts";
import { viewOf } from "../../nouns/view.ts";
import { isForPeople, type OutputOptions, printOne, section } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";

export type Route = ReplyData<Routes["bus-routes.get"]>;
export type SavedRoute = ReplyData<Routes["bus-routes.update"]>;
export type Rule = BodyInput<Routes["bus-routes.create"]>;

/** The route by id, name or the beginning of its id. */
export async function findRoute(api: Client, text: string): Promise<Route> {
  const routeId = await resolveRoute(api, text);
  return api.call("bus-routes.get", { params: { routeId } });
}

/** What somebody writes of a route. */
export function ruleOf({ name, description, state, match, target, payload }: Route): Rule {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    state,
    match,
    target,
    ...(payload === undefined ? {} : { payload }),
  };
}

/** Puts the rule in place of the route's. Throws VERSION_CONFLICT when another was quicker. */
export function replaceRoute(
  api: Client,
  routeId: string,
  rule: Rule,
  version: number,
): Promise<SavedRoute> {
  return api.call("bus-routes.update", { params: { routeId }, body: { ...rule, version } });
}

/** Of people who read it, the warnings are told too; machines find them in the data. */
export function printSaved(
  io: Io,
  options: Record<string, unknown>,
  saved: SavedRoute,
  doWarn = true,
): void {
  printRoute(io, options, saved);
  if (!doWarn || !isForPeople(options as OutputOptions)) return;
  for (const warning of saved.warnings) io.note(`warning: ${printableLine(warning)}\n`);
}

export function printRoute(io: Io, options: object, route: Route): void {
  printOne(
    io,
    options as OutputOptions,
    route,
    viewOf<Route>(nouns["bus-routes"]),
    () =>
      (route.match.data ? section("data", route.match.data) : "") +
      (route.payload ? section("payload", route.payload) : ""),
  );
}

export function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "VERSION_CONFLICT";
}
