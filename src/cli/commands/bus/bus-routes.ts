// `platformctl routes …`: kept, changed and switched. Editing and testing have files of their own.

import type { RouteState } from "../../../domain/bus/bus-routes.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { readRoute, withLines } from "./route-file.ts";
import {
  findRoute,
  isConflict,
  printSaved,
  type Route,
  type Rule,
  replaceRoute,
  ruleOf,
} from "./saved-route.ts";

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
