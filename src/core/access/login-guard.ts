// Limits failed sign-ins, in memory. Failures are counted per account and network, so that nobody
// can lock a user out from another network ("Failed sign-ins" in docs/administration.md).

import {
  loginFailuresElsewhere,
  loginFailuresPerAccount,
  loginFailuresPerAddress,
} from "../../domain/limits.ts";
import { RateWindow, tooMany } from "../memory/rate-window.ts";

export interface LoginSource {
  account: string;
  network: string;
  /** Whether the user has signed in from this network before. */
  isFamiliar: boolean;
}

/** A lock applies to an account on one network, an account on unfamiliar networks, or a network. */
export type Lock = "account" | "elsewhere" | "address";

export class LoginGuard {
  readonly #windows: Record<Lock, RateWindow>;
  readonly #onRefused: () => void;

  constructor(monotonic: () => number, onRefused: () => void) {
    const windowOf = ({ failures, seconds }: { failures: number; seconds: number }) =>
      new RateWindow(failures, seconds, monotonic);
    this.#windows = {
      account: windowOf(loginFailuresPerAccount),
      elsewhere: windowOf(loginFailuresElsewhere),
      address: windowOf(loginFailuresPerAddress),
    };
    this.#onRefused = onRefused;
  }

  /** Must be called before the password check. Throws RATE_LIMITED while a lock applies. */
  require(source: LoginSource): void {
    const waits = locksOf(source).map(([lock, key]) => ({
      lock,
      waitMs: this.#windows[lock].waitMs(key),
    }));
    const longest = waits.reduce((one, other) => (other.waitMs > one.waitMs ? other : one));
    if (longest.waitMs <= 0) return;
    this.#onRefused();
    throw tooMany(`failed sign-ins ${lockWords[longest.lock]}`, longest.waitMs);
  }

  /**
   * Counts the result of a password check and returns the locks that it caused. Checks the locks
   * again, so that concurrent guesses get no more checks than sequential ones.
   */
  judge(source: LoginSource, fits: boolean): Lock[] {
    this.require(source);
    const locks = locksOf(source);
    if (!fits) return locks.filter(([lock, key]) => this.#windows[lock].note(key)).map(([l]) => l);
    // Only the account's failures on this network are reset.
    for (const [lock, key] of locks) if (lock === "account") this.#windows[lock].reset(key);
    return [];
  }
}

const lockWords: Record<Lock, string> = {
  account: "for this account",
  elsewhere: "for this account from new places",
  address: "from this address",
};

function locksOf({ account, network, isFamiliar }: LoginSource): [Lock, string][] {
  const own: [Lock, string][] = [
    ["account", `${network} ${account}`],
    ["address", network],
  ];
  return isFamiliar ? own : [...own, ["elsewhere", account]];
}
