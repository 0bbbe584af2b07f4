// The newest audit row that this process has written. It is kept in memory, where nobody can delete
// it, and logged from time to time. It is lost when the process ends.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { Log } from "../../lib/log.ts";

/** The number of rows after which the newest row is logged again. */
const logEvery = 1000;

export class AuditHead {
  readonly #log: Log;
  #mayBegin: boolean;
  #newest: ChainLink | null = null;
  #lost: ChainLink | null = null;
  #unreported: ChainLink | null = null;
  #loggedSeq = 0;
  #signedSeq = 0;
  /** The numbers of signed rows that do not match and for which an audit row exists. */
  readonly #reportedMissing = new Set<number>();

  /**
   * `mayBegin`: whether the database was new when it was opened, so that this process writes the
   * first row.
   */
  constructor(log: Log, mayBegin: boolean) {
    this.#log = log;
    this.#mayBegin = mayBegin;
  }

  /** The newest row that this process has written, or null. */
  get newest(): ChainLink | null {
    return this.#newest;
  }

  /** The first deleted row of this process. It is kept until the process ends. */
  get lost(): ChainLink | null {
    return this.#lost;
  }

  /** A deleted row of this process that no audit row reports yet. */
  get unreported(): ChainLink | null {
    return this.#unreported;
  }

  get isSigned(): boolean {
    return this.#newest === null || this.#newest.seq <= this.#signedSeq;
  }

  /** Whether row 1 would be the beginning of the trail, and not what is left of an older trail. */
  get mayBegin(): boolean {
    return this.#mayBegin;
  }

  /**
   * Notes a committed row. Its number is greater than the previous one, unless rows were deleted.
   */
  note(link: ChainLink): void {
    this.#mayBegin = false;
    if (this.#newest !== null && link.seq <= this.#newest.seq) this.lose(this.#newest);
    if (this.#newest === null) this.#loggedSeq = link.seq - 1;
    this.#newest = link;
    if (link.seq - this.#loggedSeq >= logEvery) this.log(link);
  }

  /**
   * Notes that the newest row of this process was deleted. Rows written later are checked on their
   * own.
   */
  lose(link: ChainLink): void {
    this.#log.error({ lost: link }, "rows of the audit trail are gone");
    this.#lost ??= link;
    this.#unreported = link;
    this.#newest = null;
    this.#signedSeq = 0;
  }

  /** Notes that an audit row reports the deletion of this row. */
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

  /** Notes that the signature in the database covers the rows up to this number. */
  noteSigned(seq: number): void {
    this.#signedSeq = seq;
  }

  log({ seq, hash }: ChainLink): void {
    this.#loggedSeq = seq;
    this.#log.info({ seq, hash }, "audit head");
  }
}
