import type { RouteState } from "../../../domain/bus/bus-routes.ts";
import type { CommandFunction, Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { isConflict } from "../../rules/edit-rule.ts";
import { readRule, withLines } from "../../rules/rule-file.ts";
import { keptOf, writtenOf } from "../../rules/rule-kind.ts";
import { routeKind } from "./route-kind.ts";
import { printSaved, type Route, type Rule, replaceRoute } from "./saved-route.ts";

export async function createRoute(invocation: Invocation): Promise<void> {
  const { io, options, signal, client } = invocation;
  if (options.file === undefined && io.interactive) {
    return (await import("./route-edit.ts")).draftRoute(invocation);
  }
  const path = pathOf(options);
  const file = await readRule(routeKind, io, path, signal);
  const { state } = options;
  const rule = { ...file.rule, ...(state ? { state } : {}) } as unknown as Rule;
  const api = await client();
  const saved = await withLines(path, file, () => api.call("bus-routes.create", { body: rule }));
  printSaved(io, options, saved);
}

/** A file without a version replaces the route, whatever the route's version is. */
export async function updateRoute(invocation: Invocation): Promise<void> {
  const { io, args, options, signal, client } = invocation;
  const path = pathOf(options);
  const file = await readRule(routeKind, io, path, signal);
  const api = await client();
  const route = await getNamed(api, "bus-routes", args[0] ?? "");
  const rule = { ...keptOf(routeKind, writtenOf(routeKind, route)), ...file.rule };
  const version = file.version ?? route.version;
  const saved = await withLines(path, file, () => replaceRoute(api, route.id, rule, version));
  printSaved(io, options, saved);
}

export function switchTo(state: RouteState): CommandFunction {
  return async ({ io, args, options, client }) => {
    const api = await client();
    const route = await getNamed(api, "bus-routes", args[0] ?? "");
    const switched = (seen: Route) =>
      replaceRoute(api, seen.id, { ...writtenOf(routeKind, seen), state }, seen.version);
    const saved = await switched(route).catch(async (error: unknown) => {
      if (!isConflict(error)) throw error;
      // Retries with the current version, which keeps the changes that others made meanwhile.
      return switched(await api.call("bus-routes.get", { params: { routeId: route.id } }));
    });
    printSaved(io, options, saved, state !== "DISABLED");
  };
}

function pathOf(options: Record<string, unknown>): string {
  if (typeof options.file === "string") return options.file;
  throw usageError(
    "give the file with the route: -f FILE, or -f - for standard input; " +
      "for the format, see docs/guides/event-bus.md, Routes.",
  );
}
