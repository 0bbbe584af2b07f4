// The newest audit row that this process has written, kept in memory, where nobody can delete it. It is also logged
// from time to time. Lost with the process.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { Log } from "../../lib/log.ts";

/** Rows between two heads in the log. */
const logEvery = 1000;

export class AuditHead {
  readonly #log: Log;
  #mayBegin: boolean;
  #newest: ChainLink | null = null;
  #lost: ChainLink | null = null;
  #unreported: ChainLink | null = null;
  #loggedSeq = 0;
  #signedSeq = 0;
  /** Signed rows that do not match, for which there is an audit row. */
  readonly #reportedMissing = new Set<number>();

  /** `mayBegin`: the database was new when it was opened, so this process writes its first row. */
  constructor(log: Log, mayBegin: boolean) {
    this.#log = log;
    this.#mayBegin = mayBegin;
  }

  /** The newest row that this process has written, or null. */
  get newest(): ChainLink | null {
    return this.#newest;
  }

  /** The first of our rows that was deleted, until the process ends. */
  get lost(): ChainLink | null {
    return this.#lost;
  }

  /** A deleted row of ours for which there is no audit row yet. */
  get unreported(): ChainLink | null {
    return this.#unreported;
  }

  get isSigned(): boolean {
    return this.#newest === null || this.#newest.seq <= this.#signedSeq;
  }

  /** Whether row 1 would be the start of the trail, rather than a rest of it. */
  get mayBegin(): boolean {
    return this.#mayBegin;
  }

  /** A row was committed. Its number is greater than the last, unless rows were deleted. */
  note(link: ChainLink): void {
    this.#mayBegin = false;
    if (this.#newest !== null && link.seq <= this.#newest.seq) this.lose(this.#newest);
    if (this.#newest === null) this.#loggedSeq = link.seq - 1;
    this.#newest = link;
    if (link.seq - this.#loggedSeq >= logEvery) this.log(link);
  }

  /** Our newest row was deleted. Later rows are compared with themselves. */
  lose(link: ChainLink): void {
    this.#log.error({ lost: link }, "rows of the audit trail are gone");
    this.#lost ??= link;
    this.#unreported = link;
    this.#newest = null;
    this.#signedSeq = 0;
  }

  /** An audit row reports that this one was deleted. */
  noteReported(link: ChainLink): void {
    if (this.#unreported === link) this.#unreported = null;
  }

  /** Whether this process has audited that this signed row does not match. */
  hasReportedMissing(seq: number): boolean {
    return this.#reportedMissing.has(seq);
  }

  noteReportedMissing(seq: number): void {
    this.#reportedMissing.add(seq);
  }

  /** The signature in the database covers the rows up to this one. */
  noteSigned(seq: number): void {
    this.#signedSeq = seq;
  }

  log({ seq, hash }: ChainLink): void {
    this.#loggedSeq = seq;
    this.#log.info({ seq, hash }, "audit head");
  }
}
