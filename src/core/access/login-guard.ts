// Limits failed sign-ins, in memory, on the monotonic clock. Failures are counted per account and
// network, so that nobody can lock a user out from a different network. Failures from many networks
// are also counted per account, but do not affect networks that the user has signed in from before.
// See "Failed sign-ins" in docs/administration.md.

import {
  loginFailuresElsewhere,
  loginFailuresPerAccount,
  loginFailuresPerAddress,
} from "../../domain/limits.ts";
import { RateWindow, tooMany } from "../memory/rate-window.ts";

/** The account that a sign-in is for, and where the sign-in comes from. */
export interface LoginSource {
  account: string;
  network: string;
  /** Whether the account's user has signed in from this network before. */
  isFamiliar: boolean;
}

/**
 * What a failure has locked: the account for one network, the account for unfamiliar networks, or
 * the network.
 */
export type Lock = "account" | "elsewhere" | "address";

export class LoginGuard {
  readonly #windows: Record<Lock, RateWindow>;
  readonly #onRefused: () => void;

  /** `onRefused` is called for each sign-in that a lock refuses. */
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

  /** Must be called before the password check. Throws RATE_LIMITED while locked. */
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
   * Counts the result of a password check and returns the locks that a failure has caused. Throws
   * RATE_LIMITED, even for the right password, if another sign-in caused a lock during the check.
   * Concurrent guesses therefore get no more checks than sequential ones.
   */
  judge(source: LoginSource, fits: boolean): Lock[] {
    this.require(source);
    const locks = locksOf(source);
    if (!fits) return locks.filter(([lock, key]) => this.#windows[lock].note(key)).map(([l]) => l);
    // This resets the failures of the account on this network only.
    for (const [lock, key] of locks) if (lock === "account") this.#windows[lock].reset(key);
    return [];
  }
}

const lockWords: Record<Lock, string> = {
  account: "for this account",
  elsewhere: "for this account from new places",
  address: "from this address",
};

/** Returns the windows that count a sign-in, each with the key to count it by. */
function locksOf({ account, network, isFamiliar }: LoginSource): [Lock, string][] {
  const own: [Lock, string][] = [
    ["account", `${network} ${account}`],
    ["address", network],
  ];
  return isFamiliar ? own : [...own, ["elsewhere", account]];
}
