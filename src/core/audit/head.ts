// What this process knows of the audit chain's newest row, from its own writing: a cut of the trail's
// end does not reach it. And the log is told of it now and then, which others keep. Lost with the
// process.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { Log } from "../../lib/log.ts";

/** Rows between two heads in the log. */
const logEvery = 1000;

export class AuditHead {
  readonly #log: Log;
  #mayBegin: boolean;
  #newest: ChainLink | null = null;
  #lost: ChainLink | null = null;
  #untold: ChainLink | null = null;
  #loggedSeq = 0;
  #signedSeq = 0;
  /** Rows that were signed and are not in the trail, as far as the trail was told. */
  readonly #toldMissing = new Set<number>();

  /** `mayBegin`: the database was new when it was opened, so its trail begins with a row of ours. */
  constructor(log: Log, mayBegin: boolean) {
    this.#log = log;
    this.#mayBegin = mayBegin;
  }

  /** The newest row that this process has written; null when it has written none. */
  get newest(): ChainLink | null {
    return this.#newest;
  }

  /** The first row of ours that is gone. Not forgotten while the process lives. */
  get lost(): ChainLink | null {
    return this.#lost;
  }

  /** A row of ours that is gone, and the trail has not been told. */
  get untold(): ChainLink | null {
    return this.#untold;
  }

  get isSigned(): boolean {
    return this.#newest === null || this.#newest.seq <= this.#signedSeq;
  }

  /** Whether a first row would be the trail's beginning, and not what is left of it. */
  get mayBegin(): boolean {
    return this.#mayBegin;
  }

  /** A row was written for good. Numbers only grow: one that does not tells that rows were cut off. */
  note(link: ChainLink): void {
    this.#mayBegin = false;
    if (this.#newest !== null && link.seq <= this.#newest.seq) this.lose(this.#newest);
    if (this.#newest === null) this.#loggedSeq = link.seq - 1;
    this.#newest = link;
    if (link.seq - this.#loggedSeq >= logEvery) this.log(link);
  }

  /** Our newest row is gone. What is written from now on is held against itself. */
  lose(link: ChainLink): void {
    this.#log.error({ lost: link }, "rows of the audit trail are gone");
    this.#lost ??= link;
    this.#untold = link;
    this.#newest = null;
    this.#signedSeq = 0;
  }

  /** A row in the trail says that this one is gone. */
  noteTold(link: ChainLink): void {
    if (this.#untold === link) this.#untold = null;
  }

  /** Whether the trail was told by this process that the signed row of this number does not fit. */
  hasToldMissing(seq: number): boolean {
    return this.#toldMissing.has(seq);
  }

  noteToldMissing(seq: number): void {
    this.#toldMissing.add(seq);
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
