// Tells whether a client works on a database file.

import type { Client } from "../../client/client.ts";

/** The client of a database file reports facts about this process, not about a server. */
export function asksNoServer({ target }: Client): boolean {
  return !/^https?:\/\//.test(target);
}
