// `platformctl routes …`: kept, changed and switched. Editing and testing have files of their own.

import type { BodyInput, QueryInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import type { RouteState } from "../../../domain/bus/bus-routes.ts";
import { AppError } from "../../../domain/errors.ts";
import {
  BadRouteFile,
  fileError,
  parseRoute,
  type RouteFile,
  readFileOrStdin,
} from "../../bus/route-file.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { resolveRoute } from "../../names/resolve.ts";
import {
  isForPeople,
  type ListView,
  type OutputOptions,
  printList,
  printOne,
  section,
} from "../../output/output.ts";
import { pageOf } from "../../output/paging.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

export type Route = ReplyData<Routes["bus-routes.get"]>;
export type SavedRoute = ReplyData<Routes["bus-routes.update"]>;
export type Rule = BodyInput<Routes["bus-routes.create"]>;
type Query = NonNullable<QueryInput<Routes["bus-routes.list"]>>;

const view: ListView<Route> = {
  columns: [
    { name: "name", value: (route) => route.name, kind: "key" },
    { name: "state", value: (route) => route.state, kind: "state" },
    { name: "type", value: (route) => route.match.type },
    { name: "source", value: (route) => route.match.source, wide: true },
    { name: "target", value: (route) => `${route.target.serviceCode} ${route.target.action}` },
    { name: "updated", value: (route) => route.updatedAt, kind: "time" },
    { name: "id", value: (route) => route.id, kind: "key" },
    { name: "version", value: (route) => route.version, wide: true },
    { name: "created", value: (route) => route.createdAt, kind: "time", wide: true },
    { name: "description", value: (route) => route.description, wide: true },
  ],
  nameOf: (route) => route.id,
  whenEmpty: "No routes. Make one: platformctl routes create -f route.yaml",
};

export async function listRoutes({ io, options, client }: Invocation): Promise<void> {
  const { state, search } = options as Record<string, string | undefined>;
  const filters = { state, q: search };
  const query = { ...pageOf(options), ...filters } as Query;
  const { data, pagination } = await (await client()).page("bus-routes.list", { query });
  printList(io, options as OutputOptions, data, view, { pagination, filters });
}

export async function getRoute({ io, args, options, client }: Invocation): Promise<void> {
  printRoute(io, options, await findRoute(await client(), args[0] ?? ""));
}

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

export async function deleteRoute({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const { id, name } = await findRoute(api, args[0] ?? "");
  await confirmOrRefuse(io, `Delete the route ${printableLine(name)}?`, options.yes === true);
  const deleted = await api.call("bus-routes.delete", { params: { routeId: id } });
  printOne(io, options as OutputOptions, deleted, {
    columns: [
      { name: "id", value: (route) => route.id, kind: "key" },
      { name: "deleted", value: (route) => route.deleted },
    ],
    nameOf: (route) => route.id,
  });
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

export function printRoute(io: Io, options: Record<string, unknown>, route: Route): void {
  printOne(
    io,
    options as OutputOptions,
    route,
    view,
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
