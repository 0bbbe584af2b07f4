// Activity that the database does not contain yet. It is flushed every second, before reads that
// need it, and on shutdown; a crash loses one second. (docs/decisions/0005-state-in-memory.md)

import { PendingWrites } from "./pending-writes.ts";

const newest = (_older: number, newer: number) => newer;

/**
 * When agents last called, services were last reported and API keys were last used, by id, in Unix
 * milliseconds.
 */
export class Presence {
  readonly agents = new PendingWrites<string, number>(newest);
  readonly services = new PendingWrites<string, number>(newest);
  readonly keys = new PendingWrites<string, number>(newest);
  /** The skews that heartbeats since the last flush showed: agents' clocks minus ours, in ms. */
  readonly clockSkews = new Map<string, number>();
  /** The last flush that has begun. Resolves when its values are in the database or were restored. */
  flushing: Promise<void> = Promise.resolve();
  /** The flush that begins when `flushing` has ended. */
  next: Promise<void> | null = null;

  get dirty(): boolean {
    return this.agents.dirty || this.services.dirty || this.keys.dirty;
  }
}
