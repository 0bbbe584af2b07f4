// Tells whether a client works on a database file.

import type { Client } from "../../client/client.ts";

/** True for a database file. What such a client reports about a process is about this process. */
export function asksNoServer({ target }: Client): boolean {
  return !/^https?:\/\//.test(target);
}
