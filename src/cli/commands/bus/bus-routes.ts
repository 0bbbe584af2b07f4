// `platformctl routes …`: kept, changed and switched. Editing and testing have files of their own.

import { nouns } from "../../../api/contract/nouns.ts";
import type { BodyInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import type { RouteState } from "../../../domain/bus/bus-routes.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { resolveRoute } from "../../names/resolve.ts";
import { viewOf } from "../../nouns/view.ts";
import { isForPeople, type OutputOptions, printOne, section } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import {
  BadRouteFile,
  fileError,
  parseRoute,
  type RouteFile,
  readFileOrStdin,
} from "./route-file.ts";

export type Route = ReplyData<Routes["bus-routes.get"]>;
export type SavedRoute = ReplyData<Routes["bus-routes.update"]>;
export type Rule = BodyInput<Routes["bus-routes.create"]>;

/** From a file; on a terminal, where none is named, from a template in an editor. */
export async function createRoute(invocation: Invocation): Promise<void> {
  const { io, options, signal, client } = invocation;
  if (options.file === undefined && io.interactive) {
    return (await import("./route-draft.ts")).draftRoute(invocation);
  }
  const path = pathOf(options);
  const file = await readRoute(io, path, signal);
  const state = options.state as RouteState | undefined;
  const rule = { ...file.rule, ...(state ? { state } : {}) } as unknown as Rule;
  const api = await client();
  const saved = await withLines(path, file, () => api.call("bus-routes.create", { body: rule }));
  printSaved(io, options, saved);
}

/** A file that says no version replaces whatever is there. */
export async function updateRoute({
  io,
  args,
  options,
  signal,
  client,
}: Invocation): Promise<void> {
  const path = pathOf(options);
  const file = await readRoute(io, path, signal);
  const api = await client();
  const route = await findRoute(api, args[0] ?? "");
  const rule = { state: route.state, ...file.rule } as unknown as Rule;
  const version = file.version ?? route.version;
  const saved = await withLines(path, file, () => replace(api, route.id, rule, version));
  printSaved(io, options, saved);
}

export async function enableRoute(invocation: Invocation): Promise<void> {
  await setState(invocation, "ENABLED");
}

export async function dryRunRoute(invocation: Invocation): Promise<void> {
  await setState(invocation, "DRY_RUN");
}

export async function disableRoute(invocation: Invocation): Promise<void> {
  await setState(invocation, "DISABLED");
}

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
export function replace(
  api: Client,
  routeId: string,
  rule: Rule,
  version: number,
): Promise<SavedRoute> {
  return api.call("bus-routes.update", { params: { routeId }, body: { ...rule, version } });
}

/** The route in a file. Throws a usage error that names the line. */
export async function readRoute(io: Io, path: string, signal: AbortSignal): Promise<RouteFile> {
  const text = await readFileOrStdin(io, "--file", path, signal);
  try {
    return parseRoute(text);
  } catch (error) {
    throw error instanceof BadRouteFile ? fileError(path, error.problems) : error;
  }
}

/** What the server finds wrong with a file is told with its lines. */
export async function withLines<T>(
  path: string,
  file: RouteFile,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const problems = file.problemsIn(error);
    throw problems ? fileError(path, problems) : error;
  }
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

async function setState(invocation: Invocation, state: RouteState): Promise<void> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const route = await findRoute(api, args[0] ?? "");
  const switched = (seen: Route) => replace(api, seen.id, { ...ruleOf(seen), state }, seen.version);
  const saved = await switched(route).catch(async (error: unknown) => {
    if (!isConflict(error)) throw error;
    // Whatever else has changed meanwhile stays as it is now.
    return switched(await api.call("bus-routes.get", { params: { routeId: route.id } }));
  });
  printSaved(io, options, saved, state !== "DISABLED");
}

export function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "VERSION_CONFLICT";
}

function pathOf(options: Record<string, unknown>): string {
  if (typeof options.file === "string") return options.file;
  throw usageError(
    "say which file the route is in: -f FILE, or -f - for standard input; " +
      "what stands in it: docs/event-bus.md, Routes.",
  );
}
