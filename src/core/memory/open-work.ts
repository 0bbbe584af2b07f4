// Agents without an open command, so that an empty poll needs no look at the database, and agents with no command
// to stop, so that a heartbeat needs none. Every new or cancelled command invalidates its agent's entry.

import type { InvalidatedMap } from "./invalidated-map.ts";

export type OpenWork = InvalidatedMap<string, "idle" | "none to stop">;
