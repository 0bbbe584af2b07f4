// Failed sign-ins on SQLite, in memory, on the monotonic clock. They are forgotten at a restart.

import { RateWindow } from "../limits/rate-window.ts";
import {
  type Lock,
  type LockedSource,
  type LoginFailures,
  lockLimits,
  type Waits,
} from "./login-guard.ts";

export class FailuresInMemory implements LoginFailures {
  readonly #windows: Record<Lock, RateWindow>;

  constructor(monotonic: () => number) {
    const windowOf = (lock: Lock) => {
      const { failures, seconds } = lockLimits[lock];
      return new RateWindow(failures, seconds, monotonic);
    };
    this.#windows = {
      account: windowOf("account"),
      elsewhere: windowOf("elsewhere"),
      address: windowOf("address"),
    };
  }

  async waits(sources: LockedSource[]): Promise<Waits> {
    return this.#waits(sources);
  }

  async fail(sources: LockedSource[]) {
    const waits = this.#waits(sources);
    if (waits.some((wait) => wait > 0)) return { waits };
    const caused = sources.filter(({ lock, key }) => this.#windows[lock].note(key));
    return { locks: caused.map(({ lock }) => lock) };
  }

  async succeed(sources: LockedSource[]): Promise<Waits> {
    const waits = this.#waits(sources);
    if (waits.some((wait) => wait > 0)) return waits;
    for (const { lock, key } of sources) if (lock === "account") this.#windows[lock].reset(key);
    return waits;
  }

  /** Does nothing, because the windows drop old failures themselves. */
  async dropOld(): Promise<void> {}

  #waits(sources: LockedSource[]): Waits {
    return sources.map(({ lock, key }) => this.#windows[lock].waitMs(key));
  }
}
