// Counts failed sign-ins in time windows. They are stored, so they count at every node and after a
// restart.

import { createHmac, type KeyObject } from "node:crypto";
import {
  loginFailuresElsewhere,
  loginFailuresPerAccount,
  loginFailuresPerAddress,
} from "../../domain/limits.ts";
import type { Database, Reader } from "../../store/database.ts";
import {
  deleteLoginFailures,
  deleteOldLoginFailures,
  insertLoginFailure,
  listLoginFailures,
} from "../../store/tables/access/login-failures.ts";

/** A lock applies to an account on one network, an account on unfamiliar networks, or a network. */
export type Lock = "account" | "elsewhere" | "address";

const lockLimits: Record<Lock, { failures: number; seconds: number }> = {
  account: loginFailuresPerAccount,
  elsewhere: loginFailuresElsewhere,
  address: loginFailuresPerAddress,
};

export interface LockedSource {
  lock: Lock;
  /** The account, the network, or both. */
  key: string;
}

/**
 * How long the lock of each source still applies, in milliseconds; 0 or less if no lock applies.
 */
export type Waits = number[];

const longestMs = Math.max(...Object.values(lockLimits).map(({ seconds }) => seconds)) * 1000;

interface LoginFailuresOptions {
  db: Database;
  sessionSecret: () => KeyObject;
  newId: (prefix: string) => string;
}

/** The failures of a source within its window. */
interface Counted {
  source: string;
  waitMs: number;
  isLast: boolean;
}

export class LoginFailures {
  readonly #options: LoginFailuresOptions;

  constructor(options: LoginFailuresOptions) {
    this.#options = options;
  }

  async waits(sources: LockedSource[]): Promise<Waits> {
    const { db } = this.#options;
    return (await this.#count(db.read, sources, db.now())).map(({ waitMs }) => waitMs);
  }

  /**
   * Counts a failure and returns the locks that it causes. If a lock already applies, counts
   * nothing. No other failure is counted between the check and the count.
   */
  fail(sources: LockedSource[]): Promise<{ waits: Waits } | { locks: Lock[] }> {
    const { db, newId } = this.#options;
    return db.write(async (tx) => {
      const counted = await this.#count(tx, sources, tx.now);
      const waits = counted.map(({ waitMs }) => waitMs);
      if (waits.some((wait) => wait > 0)) return { waits };
      for (const { source } of counted) {
        await insertLoginFailure(tx, { id: newId("lgf"), source, at: tx.now });
      }
      return { locks: sources.flatMap(({ lock }, at) => (counted[at]?.isLast ? [lock] : [])) };
    });
  }

  /**
   * Forgets the failures of the account on this network, unless a lock applies. Failures that are
   * being stored at the same time count, too.
   */
  succeed(sources: LockedSource[]): Promise<Waits> {
    return this.#options.db.write(async (tx) => {
      const counted = await this.#count(tx, sources, tx.now);
      const waits = counted.map(({ waitMs }) => waitMs);
      if (waits.some((wait) => wait > 0)) return waits;
      for (const [at, { lock }] of sources.entries()) {
        if (lock === "account") await deleteLoginFailures(tx, counted[at]?.source ?? "");
      }
      return waits;
    });
  }

  /** Deletes failures that no longer count. Must be called from time to time. */
  async dropOld(): Promise<void> {
    const { db } = this.#options;
    await db.write((tx) => deleteOldLoginFailures(tx, tx.now - longestMs, tx.now));
  }

  #count(db: Reader, sources: LockedSource[], now: number): Promise<Counted[]> {
    const counts = sources.map(async (each): Promise<Counted> => {
      const { failures: limit, seconds } = lockLimits[each.lock];
      const windowMs = seconds * 1000;
      const source = this.#nameOf(each);
      const times = await listLoginFailures(db, source, { since: now - windowMs, now, limit });
      const oldest = times[limit - 1];
      const waitMs = oldest === undefined ? 0 : oldest + windowMs - now;
      return { source, waitMs, isLast: times.length + 1 >= limit };
    });
    return Promise.all(counts);
  }

  /**
   * Sources are stored only as an HMAC, because users sometimes type a password into the name
   * field.
   */
  #nameOf({ lock, key }: LockedSource): string {
    const hmac = createHmac("sha256", this.#options.sessionSecret());
    return hmac.update(`failed sign-in ${lock} ${key}`).digest("base64url");
  }
}
