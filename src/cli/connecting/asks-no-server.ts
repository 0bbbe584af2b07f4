// What a command was answered by, for those answers where it matters.

import type { Client } from "../../client/client.ts";

/** It works on the database file itself: what is told of a process is told of this one. */
export function asksNoServer({ target }: Client): boolean {
  return !/^https?:\/\//.test(target);
}
