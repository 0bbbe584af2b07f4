// A child process verifies the whole audit chain, because this takes a long time. (docs/audit.md)

import type { ChainLink } from "./audit-events.ts";

export interface TrailWalk {
  /** How many rows are intact, counted from the first one. */
  checked: number;
  firstSeq: number | null;
  lastSeq: number | null;
  /** The newest row when the verification began. */
  head: ChainLink | null;
  /** The point up to which the trail was pruned; `at` is in Unix milliseconds. */
  checkpoint: (ChainLink & { at: number }) | null;
  /** The first row that is not intact, and the reason; null if the chain is unbroken. */
  broken: { seq: number; reason: string } | null;
}

export interface WalkRequest {
  /** The database file, which may be in use. */
  file: string;
  auditKeyFile: string;
}

/**
 * Calls `onReading` before it reads the first row. Rejects with AppError UNAVAILABLE if the file or
 * the key cannot be used, and with the signal's reason after an abort.
 */
export type WalkTrail = (
  request: WalkRequest,
  signal: AbortSignal,
  onReading: () => void,
) => Promise<TrailWalk>;
