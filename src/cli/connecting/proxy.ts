// The proxy that leads to a server, as the environment names it: the same variables as for all programs.

import { problemOfProxy, proxyFromEnvironment } from "../../client/proxy.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/** Undefined when none does. Throws a usage error that does not quote it: it may hold a password. */
export function proxyTo(io: Io, url: string): string | undefined {
  const said = proxyFromEnvironment(url, io.proxyEnv);
  if (said === null) return undefined;
  const problem = problemOfProxy(said.text);
  if (problem) throw usageError(`${said.variable}: the proxy ${problem}.`);
  return said.text;
}
