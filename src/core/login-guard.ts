// The guard against guessing passwords: how often an account and an address may fail, and how many
// failures are told one by one. In memory, on the monotonic clock.
// (`decisions.md` 7 last paragraph, 11 "Login")

import {
  failedLoginsToldPerMinute,
  loginFailuresPerAccount,
  loginFailuresPerAddress,
} from "../domain/limits.ts";
import { RateWindow, tooMany } from "./rate-window.ts";

const minuteMs = 60_000;

/** Failures of a minute that have no audit row of their own. */
export interface UntoldFailures {
  /** A wrong password or an unknown user. */
  failed: number;
  /** Not judged: the account or the address was locked. */
  refused: number;
}

/** Whose account is tried, from where. */
export interface LoginSource {
  account: string;
  address: string;
}

export type Lock = keyof LoginSource;

export class LoginGuard {
  readonly #accounts: RateWindow;
  readonly #addresses: RateWindow;
  readonly #monotonic: () => number;
  #minuteBegan = Number.NEGATIVE_INFINITY;
  #told = 0;
  #untold: UntoldFailures = { failed: 0, refused: 0 };
  /** Of minutes that are over, oldest first. */
  #toTell: UntoldFailures[] = [];

  constructor(monotonic: () => number) {
    const { failures, seconds } = loginFailuresPerAccount;
    this.#accounts = new RateWindow(failures, seconds, monotonic);
    const { failures: perAddress, seconds: window } = loginFailuresPerAddress;
    this.#addresses = new RateWindow(perAddress, window, monotonic);
    this.#monotonic = monotonic;
  }

  /** To be asked before a password is looked at. Throws RATE_LIMITED until neither is locked. */
  require({ account, address }: LoginSource): void {
    const accountMs = this.#accounts.waitMs(account);
    const addressMs = this.#addresses.waitMs(address);
    const waitMs = Math.max(accountMs, addressMs);
    if (waitMs <= 0) return;
    this.#beginMinute();
    this.#untold.refused++;
    const where = accountMs === waitMs ? "for this account" : "from this address";
    throw tooMany(`failed sign-ins ${where}`, waitMs);
  }

  /**
   * Counts what looking at a password has shown; answers what a failure has locked. Throws
   * RATE_LIMITED when others have failed too often meanwhile, for a right password as for a wrong
   * one: of many guesses at once no more are judged than of one after the other.
   */
  judge(source: LoginSource, fits: boolean): Lock[] {
    this.require(source);
    const { account, address } = source;
    if (fits) {
      // The account begins anew; the address does not.
      this.#accounts.reset(account);
      return [];
    }
    const locks: Lock[] = [];
    if (this.#accounts.note(account)) locks.push("account");
    if (this.#addresses.note(address)) locks.push("address");
    return locks;
  }

  /** Whether this failure gets an audit row of its own; else it is summed. */
  tellsFailure(): boolean {
    this.#beginMinute();
    if (this.#told < failedLoginsToldPerMinute) {
      this.#told++;
      return true;
    }
    this.#untold.failed++;
    return false;
  }

  /** What is to be told, minute by minute; the minute that is not over yet only when asked `now`. */
  takeUntold(now: boolean): UntoldFailures[] {
    if (now || this.#minuteIsOver()) this.#closeMinute();
    const toTell = this.#toTell;
    this.#toTell = [];
    return toTell;
  }

  /** Puts back what could not be written. */
  restoreUntold(untold: UntoldFailures[]): void {
    this.#toTell.unshift(...untold);
  }

  /** A minute begins with the first failure after the last one. */
  #beginMinute(): void {
    if (!this.#minuteIsOver()) return;
    this.#closeMinute();
    this.#minuteBegan = this.#monotonic();
    this.#told = 0;
  }

  #minuteIsOver(): boolean {
    return this.#monotonic() - this.#minuteBegan >= minuteMs;
  }

  #closeMinute(): void {
    const { failed, refused } = this.#untold;
    if (failed + refused > 0) this.#toTell.push(this.#untold);
    this.#untold = { failed: 0, refused: 0 };
  }
}
