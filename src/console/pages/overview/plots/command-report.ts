// What the server tells of commands over time.

import type { Reply } from "../../../client/call.ts";

export type CommandReport = Reply<"overview.commands">;
export type Bucket = CommandReport["buckets"][number];
/** How far back it reaches. */
export type Hours = 1 | 6 | 24 | 168;
