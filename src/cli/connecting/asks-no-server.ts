// Whether a client works on a database file.

import type { Client } from "../../client/client.ts";

/** It does. What it reports about a process is about this one. */
export function asksNoServer({ target }: Client): boolean {
  return !/^https?:\/\//.test(target);
}
