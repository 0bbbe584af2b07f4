// Signs of life that the database does not have yet: last calls of agents, last unchanged reports of services, last
// uses of API keys. Flushed every second, before reads that need them, and on shutdown. A crash loses at most a
// second.
// (docs/decisions/0005-state-in-memory.md)

import { PendingWrites } from "./pending-writes.ts";

const newest = (_older: number, newer: number) => newer;

/** By id, in Unix milliseconds. */
export class Presence {
  readonly agents = new PendingWrites<string, number>(newest);
  readonly services = new PendingWrites<string, number>(newest);
  readonly keys = new PendingWrites<string, number>(newest);
  /** The newest flush; resolves when its values are in the database, or restored. */
  flushing: Promise<void> = Promise.resolve();

  get dirty(): boolean {
    return this.agents.dirty || this.services.dirty || this.keys.dirty;
  }
}
