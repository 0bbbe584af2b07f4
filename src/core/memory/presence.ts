// Signs of life that the database does not have yet: when agents were last alive, services last reported
// unchanged, and API keys last used. Flushed every second, before reads that need it, and on shutdown; a crash
// loses at most a second of it.
// (docs/decisions/0005-state-in-memory.md)

import { PendingWrites } from "./pending-writes.ts";

const newest = (_older: number, newer: number) => newer;

/** By id, in Unix milliseconds. */
export class Presence {
  readonly agents = new PendingWrites<string, number>(newest);
  readonly services = new PendingWrites<string, number>(newest);
  readonly keys = new PendingWrites<string, number>(newest);
  /** The newest flush; resolves when what it took is in the database, or back here. */
  flushing: Promise<void> = Promise.resolve();

  get dirty(): boolean {
    return this.agents.dirty || this.services.dirty || this.keys.dirty;
  }
}
