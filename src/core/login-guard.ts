// The guard against guessing passwords: how often an account and an address may fail. In memory, on the
// monotonic clock. (`decisions.md` 11 "Login")

import { loginFailuresPerAccount, loginFailuresPerAddress } from "../domain/limits.ts";
import { RateWindow, tooMany } from "./rate-window.ts";

/** Whose account is tried, from where. */
export interface LoginSource {
  account: string;
  address: string;
}

export type Lock = keyof LoginSource;

export class LoginGuard {
  readonly #accounts: RateWindow;
  readonly #addresses: RateWindow;
  readonly #onRefused: () => void;

  /** `onRefused` hears of each sign-in that is not judged because its account or address is locked. */
  constructor(monotonic: () => number, onRefused: () => void) {
    const { failures, seconds } = loginFailuresPerAccount;
    this.#accounts = new RateWindow(failures, seconds, monotonic);
    const { failures: perAddress, seconds: window } = loginFailuresPerAddress;
    this.#addresses = new RateWindow(perAddress, window, monotonic);
    this.#onRefused = onRefused;
  }

  /** To be asked before a password is looked at. Throws RATE_LIMITED until neither is locked. */
  require({ account, address }: LoginSource): void {
    const accountMs = this.#accounts.waitMs(account);
    const addressMs = this.#addresses.waitMs(address);
    const waitMs = Math.max(accountMs, addressMs);
    if (waitMs <= 0) return;
    this.#onRefused();
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
}
