// Agents without an open command, whose polls need no read, and agents without a command to stop,
// whose heartbeats need no read.

import type { InvalidatedMap } from "../news/invalidated-map.ts";

export type OpenWork = InvalidatedMap<string, "idle" | "none to stop">;
