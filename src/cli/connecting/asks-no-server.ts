// Tells whether a client works on the database itself.

import type { Client } from "../../client/client.ts";

/** Such a client reports facts about this process, not about a server. */
export function asksNoServer({ target }: Client): boolean {
  return !/^https?:\/\//.test(target);
}
