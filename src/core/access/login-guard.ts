// Limits failed sign-ins. Failures are counted per account and network, so that nobody can lock a
// user out from another network ("Failed sign-ins" in docs/guides/users-and-access.md).

import { tooMany } from "../limits/rate-window.ts";
import type { Lock, LockedSource, LoginFailures, Waits } from "./login-failures.ts";

export interface LoginSource {
  account: string;
  network: string;
  /** Whether the user has signed in from this network before. */
  isFamiliar: boolean;
}

export class LoginGuard {
  readonly failures: LoginFailures;
  readonly #onRefused: () => void;

  constructor(failures: LoginFailures, onRefused: () => void) {
    this.failures = failures;
    this.#onRefused = onRefused;
  }

  /** Must be called before the password check. Throws RATE_LIMITED while a lock applies. */
  async require(source: LoginSource): Promise<void> {
    const sources = sourcesOf(source);
    this.#refuseLocked(sources, await this.failures.waits(sources));
  }

  /**
   * Counts the result of a password check and returns the locks that it caused. Checks the locks
   * again, so that concurrent guesses are limited like sequential ones.
   */
  async judge(source: LoginSource, fits: boolean): Promise<Lock[]> {
    const sources = sourcesOf(source);
    if (fits) {
      this.#refuseLocked(sources, await this.failures.succeed(sources));
      return [];
    }
    const failed = await this.failures.fail(sources);
    if ("locks" in failed) return failed.locks;
    this.#refuseLocked(sources, failed.waits);
    return [];
  }

  #refuseLocked(sources: LockedSource[], waits: Waits): void {
    const longestMs = Math.max(...waits);
    const longest = sources[waits.indexOf(longestMs)];
    if (longestMs <= 0 || !longest) return;
    this.#onRefused();
    throw tooMany(`failed sign-ins ${lockWords[longest.lock]}`, longestMs);
  }
}

const lockWords: Record<Lock, string> = {
  account: "for this account",
  elsewhere: "for this account from networks that it has not used before",
  address: "from this address",
};

function sourcesOf({ account, network, isFamiliar }: LoginSource): LockedSource[] {
  const own: LockedSource[] = [
    { lock: "account", key: `${network} ${account}` },
    { lock: "address", key: network },
  ];
  return isFamiliar ? own : [...own, { lock: "elsewhere", key: account }];
}
