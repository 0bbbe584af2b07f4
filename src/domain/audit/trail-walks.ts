// A child process verifies the audit chain, because this takes a long time. (docs/guides/audit.md)

import type { Place } from "../storage/place.ts";
import type { ChainLink } from "./audit-events.ts";

/** A row up to which the trail was verified. Times are in Unix milliseconds. */
export interface VerifiedLink extends ChainLink {
  /** When the verification that ended at this row began. */
  at: number;
  /** When the last verification of the whole trail began. Later verifications continued from it. */
  fullAt: number;
}

export interface TrailWalk {
  /** Where an earlier verification ended; null if no genuine place is stored. */
  verified: VerifiedLink | null;
  /** The same place if the walk began after it; null if the walk read the whole trail. */
  since: VerifiedLink | null;
  /** How many rows are intact, counted from the first one that was read. */
  checked: number;
  firstSeq: number | null;
  lastSeq: number | null;
  /** The newest row when the verification began, or null. */
  head: ChainLink | null;
  /** The point up to which the trail was pruned, or null; `at` is in Unix milliseconds. */
  checkpoint: (ChainLink & { at: number }) | null;
  /** The first row that is not intact, and the reason; null if the chain is unbroken. */
  broken: { seq: number; reason: string } | null;
}

export interface WalkRequest {
  /** The database, which may be in use. */
  place: Place;
  /** Whether to begin after the place where an earlier verification ended, if there is one. */
  incremental: boolean;
}

/**
 * Rejects with AppError UNAVAILABLE if the database or the key cannot be used, and with the
 * signal's reason after an abort.
 */
export type WalkTrail = (request: WalkRequest, signal: AbortSignal) => Promise<TrailWalk>;
