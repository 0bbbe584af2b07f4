// The route of `routes test`: a saved route by id or name, or an unsaved route in a file.

import { existsSync } from "node:fs";
import type { Client } from "../../../client/client.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { readRule, withLines } from "../../rules/rule-file.ts";
import type { Io } from "../../terminal/io.ts";
import { routeKind } from "./route-kind.ts";
import type { Route, Rule } from "./saved-route.ts";

type NamedRoute = { name: string } | { path: string };

export interface TestedRoute {
  /** The saved route, or the rule of an unsaved one. */
  route: { saved: Route } | { rule: Rule };
  /** Makes a call. Reports the server's validation problems with line numbers in the file. */
  call<T>(work: () => Promise<T>): Promise<T>;
}

/** Throws a usage error unless exactly one of the argument and `-f` is present. */
export function namedRoute({ args, options }: Pick<Invocation, "args" | "options">): NamedRoute {
  const [name] = args;
  const path = options.file as string | undefined;
  if ((name === undefined) === (path === undefined)) {
    throw usageError("give either the name of a saved route, or its file with -f.");
  }
  if (path !== undefined) return { path };
  const text = name ?? "";
  const isPath = text === "-" || (looksLikeFile(text) && existsSync(text));
  return isPath ? { path: text } : { name: text };
}

export async function openTestedRoute(
  io: Io,
  api: Client,
  named: NamedRoute,
  signal: AbortSignal,
): Promise<TestedRoute> {
  if ("path" in named) {
    const { path } = named;
    const file = await readRule(routeKind, io, path, signal);
    const rule = file.rule as unknown as Rule;
    return { route: { rule }, call: (work) => withLines(path, file, work) };
  }
  try {
    return {
      route: { saved: await getNamed(api, "bus-routes", named.name) },
      call: (work) => work(),
    };
  } catch (error) {
    throw aboutFile(named.name, error);
  }
}

export function noteDisabled(io: Io, { route }: TestedRoute): void {
  if (!("saved" in route) || route.saved.state !== "DISABLED") return;
  io.note("\nThe route is DISABLED: this is what it would do if it were enabled.\n");
}

/** A saved route can also have a name like this, so callers check that the file exists. */
function looksLikeFile(text: string): boolean {
  return /\/|\.(ya?ml|json)$/i.test(text);
}

/** Adds to the error how to name a file, or that the file does not exist. */
function aboutFile(name: string, error: unknown): unknown {
  if (!(error instanceof CliError) || error.status !== exit.notFound) return error;
  const { status, code, message } = error;
  if (existsSync(name)) {
    return new CliError(status, `${message} To use the file with this name: -f ${name}`, { code });
  }
  if (!looksLikeFile(name)) return error;
  return new CliError(status, `${message} There is no such file either.`, { code });
}
