// The guard against guessing passwords: how often an account and an address may fail, and how many
// failures are told one by one. In memory, on the monotonic clock.
// (`decisions.md` 7 last paragraph, 11 "Login")

import {
  failedLoginsToldPerMinute,
  loginFailuresPerAccount,
  loginFailuresPerAddress,
} from "../domain/limits.ts";
import { RateWindow } from "./rate-window.ts";

const minuteMs = 60_000;

/** Failures of a minute that have no audit row of their own. */
export interface UntoldFailures {
  /** A wrong password or an unknown user. */
  failed: number;
  /** Not even looked at: the account or the address was locked. */
  refused: number;
}

/** Whose account is tried, from where. */
export interface LoginSource {
  account: string;
  address: string;
}

export class LoginGuard {
  readonly #accounts: RateWindow;
  readonly #addresses: RateWindow;
  readonly #monotonic: () => number;
  #minuteBegan = Number.NEGATIVE_INFINITY;
  #told = 0;
  #untold: UntoldFailures = { failed: 0, refused: 0 };

  constructor(monotonic: () => number) {
    const { failures, seconds } = loginFailuresPerAccount;
    this.#accounts = new RateWindow(failures, seconds, monotonic);
    const { failures: perAddress, seconds: window } = loginFailuresPerAddress;
    this.#addresses = new RateWindow(perAddress, window, monotonic);
    this.#monotonic = monotonic;
  }

  /**
   * To be asked before a password is looked at, and again when it was right: of many guesses at once
   * no more count than one after the other. Throws RATE_LIMITED.
   */
  require({ account, address }: LoginSource): void {
    try {
      this.#addresses.require(address, "failed sign-ins from this address");
      this.#accounts.require(account, "failed sign-ins for this account");
    } catch (error) {
      this.#startMinute();
      this.#untold.refused++;
      throw error;
    }
  }

  /** Counts a failure; answers what it has locked. */
  failed({ account, address }: LoginSource): "account" | "address" | null {
    const locksAddress = this.#addresses.note(address);
    const locksAccount = this.#accounts.note(account);
    return locksAccount ? "account" : locksAddress ? "address" : null;
  }

  /** The account begins anew; the address does not. */
  succeeded({ account }: LoginSource): void {
    this.#accounts.reset(account);
  }

  /** Whether this failure gets an audit row of its own; else it is summed. */
  tellsFailure(): boolean {
    this.#startMinute();
    if (this.#told < failedLoginsToldPerMinute) {
      this.#told++;
      return true;
    }
    this.#untold.failed++;
    return false;
  }

  /** What is to be told in one row, once its minute is over, or `now` at once; null for nothing. */
  takeUntold(now: boolean): UntoldFailures | null {
    const untold = this.#untold;
    if (untold.failed + untold.refused === 0) return null;
    if (!now && this.#monotonic() - this.#minuteBegan < minuteMs) return null;
    this.#untold = { failed: 0, refused: 0 };
    return untold;
  }

  /** Puts back what could not be written. */
  restoreUntold(untold: UntoldFailures): void {
    this.#untold.failed += untold.failed;
    this.#untold.refused += untold.refused;
  }

  /** A new minute begins with the first failure after the last one; what was untold stays to be told. */
  #startMinute(): void {
    const now = this.#monotonic();
    if (now - this.#minuteBegan < minuteMs) return;
    this.#minuteBegan = now;
    this.#told = 0;
  }
}
