// The guard against guessing passwords: how often sign-ins may fail. In memory, on the monotonic clock.
//
// Failures count for the account and the network together, so that nobody can lock a user out from
// elsewhere. Many networks at once are limited by a window of the account that does not bind the
// networks the user has signed in from before. See docs/administration.md "Failed sign-ins".

import {
  loginFailuresElsewhere,
  loginFailuresPerAccount,
  loginFailuresPerAddress,
} from "../../domain/limits.ts";
import { RateWindow, tooMany } from "../memory/rate-window.ts";

/** Whose account is tried, from where. */
export interface LoginSource {
  account: string;
  network: string;
  /** The account's user has signed in from this network before. */
  isFamiliar: boolean;
}

/** What a failure has locked: the account for this network, for unfamiliar ones, or the network. */
export type Lock = "account" | "elsewhere" | "address";

export class LoginGuard {
  readonly #windows: Record<Lock, RateWindow>;
  readonly #onRefused: () => void;

  /** `onRefused` hears of each sign-in that is not judged because a lock holds. */
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

  /** Call it before a password is looked at. Throws RATE_LIMITED while one of the locks holds. */
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
   * Counts what looking at a password has shown; answers what a failure has locked. Throws
   * RATE_LIMITED when others have failed too often meanwhile, for a right password as for a wrong
   * one: of many guesses at once no more are judged than of one after the other.
   */
  judge(source: LoginSource, fits: boolean): Lock[] {
    this.require(source);
    const locks = locksOf(source);
    if (!fits) return locks.filter(([lock, key]) => this.#windows[lock].note(key)).map(([l]) => l);
    // The account begins anew for this network; the other windows go on.
    for (const [lock, key] of locks) if (lock === "account") this.#windows[lock].reset(key);
    return [];
  }
}

const lockWords: Record<Lock, string> = {
  account: "for this account",
  elsewhere: "for this account from new places",
  address: "from this address",
};

/** The windows that a sign-in counts in, each with its key. */
function locksOf({ account, network, isFamiliar }: LoginSource): [Lock, string][] {
  const own: [Lock, string][] = [
    ["account", `${network} ${account}`],
    ["address", network],
  ];
  return isFamiliar ? own : [...own, ["elsewhere", account]];
}
