// Finds the proxy for a server in the usual environment variables.

import { problemOfProxy, proxyFromEnvironment } from "../../client/proxy.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/** The usage error does not quote the proxy, which may contain a password. */
export function proxyTo(io: Io, url: string): string | undefined {
  const found = proxyFromEnvironment(url, io.wholeEnv);
  if (found === null) return undefined;
  const problem = problemOfProxy(found.text);
  if (problem) throw usageError(`${found.variable}: the proxy ${problem}.`);
  return found.text;
}
