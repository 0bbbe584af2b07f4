// Which route `routes test` is about: a saved one by id or name, or one in a file that is not saved.

import { existsSync } from "node:fs";
import type { Client } from "../../../client/client.ts";
import { onOperatorsFile } from "../../../lib/files/acting-user.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import type { Io } from "../../terminal/io.ts";
import { type RouteFile, readRoute } from "./route-file.ts";
import { findRoute, type Route } from "./saved-route.ts";

/** As it was typed. */
export type NamedRoute = { name: string } | { path: string };

export type TestedRoute = { saved: Route } | { path: string; file: RouteFile };

/** What the argument or `-f` names. Throws a usage error when that is nothing, or both. */
export function namedRoute({ args, options }: Pick<Invocation, "args" | "options">): NamedRoute {
  const [name] = args;
  const path = options.file as string | undefined;
  if ((name === undefined) === (path === undefined)) {
    throw usageError("name the route, or the file it is in with -f: one of them.");
  }
  if (path !== undefined) return { path };
  const text = name ?? "";
  const isPath = text === "-" || (looksLikeFile(text) && isThere(text));
  return isPath ? { path: text } : { name: text };
}

/** Throws a usage error with the lines of a file that is wrong, or that there is no such route. */
export async function openTestedRoute(
  io: Io,
  api: Client,
  named: NamedRoute,
  signal: AbortSignal,
): Promise<TestedRoute> {
  if ("path" in named) {
    return { path: named.path, file: await readRoute(io, named.path, signal) };
  }
  try {
    return { saved: await findRoute(api, named.name) };
  } catch (error) {
    throw aboutFile(named.name, error);
  }
}

/** What a person who tests a route in this state must know; nothing when it would do as is shown. */
export function noteDisabled(io: Io, tested: TestedRoute): void {
  if (!("saved" in tested) || tested.saved.state !== "DISABLED") return;
  io.note("\nThe route is DISABLED: this is what it would do, were it enabled.\n");
}

function isThere(path: string): boolean {
  return onOperatorsFile(path, () => existsSync(path));
}

/** A name may look so, too: it is a file only when there is one. */
function looksLikeFile(text: string): boolean {
  return /\/|\.(ya?ml|json)$/i.test(text);
}

/** Whoever meant a file is told how to name it, or that there is none. */
function aboutFile(name: string, error: unknown): unknown {
  if (!(error instanceof CliError) || error.status !== exit.notFound) return error;
  const { status, code, message } = error;
  if (isThere(name)) {
    return new CliError(status, `${message} There is a file of this name: -f ${name}`, { code });
  }
  if (!looksLikeFile(name)) return error;
  return new CliError(status, `${message} There is no such file either.`, { code });
}
