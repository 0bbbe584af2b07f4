// `platformctl routes …`: kept, changed and switched. Editing and testing have files of their own.

import type { QueryInput } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { RouteState } from "../../../domain/bus/bus-routes.ts";
import { readRoute, withLines } from "../../bus/route-file.ts";
import {
  findRoute,
  isConflict,
  printRoute,
  printSaved,
  type Route,
  type Rule,
  replaceRoute,
  routeView,
  ruleOf,
} from "../../bus/routes.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { type OutputOptions, printList, printOne } from "../../output/output.ts";
import { pageOf } from "../../output/paging.ts";
import { printableLine } from "../../output/printable.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

type Query = NonNullable<QueryInput<Routes["bus-routes.list"]>>;

export async function listRoutes({ io, options, client }: Invocation): Promise<void> {
  const { state, search } = options as Record<string, string | undefined>;
  const filters = { state, q: search };
  const query = { ...pageOf(options), ...filters } as Query;
  const { data, pagination } = await (await client()).page("bus-routes.list", { query });
  printList(io, options as OutputOptions, data, routeView, { pagination, filters });
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
  const saved = await withLines(path, file, () => replaceRoute(api, route.id, rule, version));
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

async function setState(invocation: Invocation, state: RouteState): Promise<void> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const route = await findRoute(api, args[0] ?? "");
  const switched = (seen: Route) =>
    replaceRoute(api, seen.id, { ...ruleOf(seen), state }, seen.version);
  const saved = await switched(route).catch(async (error: unknown) => {
    if (!isConflict(error)) throw error;
    // Whatever else has changed meanwhile stays as it is now.
    return switched(await api.call("bus-routes.get", { params: { routeId: route.id } }));
  });
  printSaved(io, options, saved, state !== "DISABLED");
}

function pathOf(options: Record<string, unknown>): string {
  if (typeof options.file === "string") return options.file;
  throw usageError(
    "say which file the route is in: -f FILE, or -f - for standard input; " +
      "what stands in it: docs/event-bus.md, Routes.",
  );
}
