// What this process knows of the audit chain's newest row, from its own writing: a cut of the trail's
// end does not reach it. And the log is told of it now and then, which others keep. Lost with the
// process. (`trust.md` "Audit")

import type { ChainLink } from "../domain/audit-events.ts";
import type { Log } from "../lib/log.ts";

/** Rows between two heads in the log. */
const logEvery = 1000;

export class AuditHead {
  readonly #log: Log;
  #newest: ChainLink | null = null;
  #loggedSeq = 0;
  #signedSeq = 0;
  #isCut = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The newest row that this process has written; null when it has written none. */
  get newest(): ChainLink | null {
    return this.#newest;
  }

  get isSigned(): boolean {
    return this.#newest === null || this.#newest.seq <= this.#signedSeq;
  }

  /** A row was written for good. Numbers only grow: one that does not tells that rows were cut off. */
  note(link: ChainLink): void {
    if (this.#isCut) return;
    if (this.#newest !== null && link.seq <= this.#newest.seq) {
      // The row that is gone stays the newest, so that a verification misses it.
      this.#isCut = true;
      this.#log.error({ lost: this.#newest, written: link }, "rows of the audit trail are gone");
      return;
    }
    if (this.#newest === null) this.#loggedSeq = link.seq - 1;
    this.#newest = link;
    if (link.seq - this.#loggedSeq >= logEvery) this.log(link);
  }

  /** The row up to which the signature in the database speaks for this process's rows. */
  noteSigned(seq: number): void {
    this.#signedSeq = seq;
  }

  log({ seq, hash }: ChainLink): void {
    this.#loggedSeq = seq;
    this.#log.info({ seq, hash }, "audit head");
  }
}
