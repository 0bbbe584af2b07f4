// The route of `routes test`: a saved one by id or name, or an unsaved one in a file.

import { existsSync } from "node:fs";
import type { Client } from "../../../client/client.ts";
import { onOperatorsFile } from "../../../lib/files/acting-user.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import type { Io } from "../../terminal/io.ts";
import { type RouteFile, readRoute } from "./route-file.ts";
import { findRoute, type Route } from "./saved-route.ts";

type NamedRoute = { name: string } | { path: string };

export type TestedRoute = { saved: Route } | { path: string; file: RouteFile };

/** From the argument or `-f`. Throws a usage error unless exactly one of them is given. */
export function namedRoute({ args, options }: Pick<Invocation, "args" | "options">): NamedRoute {
  const [name] = args;
  const path = options.file as string | undefined;
  if ((name === undefined) === (path === undefined)) {
    throw usageError("name the route, or the file it is in with -f: one of them.");
  }
  if (path !== undefined) return { path };
  const text = name ?? "";
  const isPath = text === "-" || (looksLikeFile(text) && exists(text));
  return isPath ? { path: text } : { name: text };
}

/** Throws a usage error with the lines of a bad file, or a not-found error. */
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

export function noteDisabled(io: Io, tested: TestedRoute): void {
  if (!("saved" in tested) || tested.saved.state !== "DISABLED") return;
  io.note("\nThe route is DISABLED: this is what it would do if it were enabled.\n");
}

function exists(path: string): boolean {
  return onOperatorsFile(path, () => existsSync(path));
}

/** A route can have such a name, too: it is a file only if the file exists. */
function looksLikeFile(text: string): boolean {
  return /\/|\.(ya?ml|json)$/i.test(text);
}

/** Adds how to name a file, or that there is no such file. */
function aboutFile(name: string, error: unknown): unknown {
  if (!(error instanceof CliError) || error.status !== exit.notFound) return error;
  const { status, code, message } = error;
  if (exists(name)) {
    return new CliError(status, `${message} There is a file of this name: -f ${name}`, { code });
  }
  if (!looksLikeFile(name)) return error;
  return new CliError(status, `${message} There is no such file either.`, { code });
}
