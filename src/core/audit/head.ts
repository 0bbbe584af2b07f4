// Keeps the newest audit row that this process has written in memory, where nobody can delete it.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { Log } from "../../lib/log.ts";

const logEvery = 1000;

export class AuditHead {
  readonly #log: Log;
  /** Whether a row 1 would be the first row ever. If false, earlier rows were deleted. */
  mayBegin: boolean;
  newest: ChainLink | null = null;
  /** The first deleted row that this process had written, or null. */
  lost: ChainLink | null = null;
  /** A deleted row that no audit row reports yet, or null. */
  unreported: ChainLink | null = null;
  #loggedSeq = 0;
  #signedSeq = 0;
  /** The numbers of signed rows that do not match and that an audit row already reports. */
  readonly reportedMissing = new Set<number>();

  constructor(log: Log, mayBegin: boolean) {
    this.#log = log;
    this.mayBegin = mayBegin;
  }

  get isSigned(): boolean {
    return this.newest === null || this.newest.seq <= this.#signedSeq;
  }

  /** Each row has a greater number than the row before, unless rows were deleted. */
  note(link: ChainLink): void {
    this.mayBegin = false;
    if (this.newest !== null && link.seq <= this.newest.seq) this.lose(this.newest);
    if (this.newest === null) this.#loggedSeq = link.seq - 1;
    this.newest = link;
    if (link.seq - this.#loggedSeq >= logEvery) this.log(link);
  }

  /** Notes that the newest row that this process has written was deleted. */
  lose(link: ChainLink): void {
    this.#log.error({ lost: link }, "rows of the audit trail are gone");
    this.lost ??= link;
    this.unreported = link;
    this.newest = null;
    this.#signedSeq = 0;
  }

  noteReported(link: ChainLink): void {
    if (this.unreported === link) this.unreported = null;
  }

  noteSigned(seq: number): void {
    this.#signedSeq = seq;
  }

  log({ seq, hash }: ChainLink): void {
    this.#loggedSeq = seq;
    this.#log.info({ seq, hash }, "audit head");
  }
}
