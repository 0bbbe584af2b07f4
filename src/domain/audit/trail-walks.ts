// What walking the whole audit chain has found out. It takes long, so another process does it; this is what
// the two tell each other. (docs/audit.md)

import type { ChainLink } from "./audit-events.ts";

export interface TrailWalk {
  /** How many rows fit, from the first on. */
  checked: number;
  firstSeq: number | null;
  lastSeq: number | null;
  /** The newest row when it began. */
  head: ChainLink | null;
  /** Where pruning has left the trail to begin; `at` is Unix milliseconds. */
  checkpoint: (ChainLink & { at: number }) | null;
  /** The first row that does not fit, and why; null: the chain is unbroken. */
  broken: { seq: number; reason: string } | null;
}

export interface WalkRequest {
  /** The database; it may be in use. */
  file: string;
  auditKeyFile: string;
}

/**
 * Walks the audit chain beside the event loop; calls `onReading` before it reads the first row. Rejects with
 * AppError UNAVAILABLE when the file or the key cannot be used; with the signal's reason once the work was ended.
 */
export type WalkTrail = (
  request: WalkRequest,
  signal: AbortSignal,
  onReading: () => void,
) => Promise<TrailWalk>;
