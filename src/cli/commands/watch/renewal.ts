// Reads again now and then what no message tells, or not by itself: the counts, and when agents were seen.

import type { Client } from "../../../client/client.ts";
import type { StreamType } from "../../../domain/stream.ts";
import { readNumbers } from "./snapshot.ts";
import type { WatchState } from "./state.ts";

/** So long after a change of something, and so long after none. */
const renewMs = { changed: 2_000, unchanged: 15_000 };

/** While it is live. */
export class Renewal {
  /** Something has changed since the last time. */
  isDue = false;
  readonly #api: Client;
  readonly #types: readonly StreamType[];
  readonly #state: WatchState;
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #passedMs = 0;

  constructor(api: Client, types: readonly StreamType[], state: WatchState, signal: AbortSignal) {
    this.#api = api;
    this.#types = types;
    this.#state = state;
    this.#signal = signal;
  }

  start(changed: () => void): void {
    this.#timer = setTimeout(async () => {
      this.#passedMs += renewMs.changed;
      if (this.isDue || this.#passedMs >= renewMs.unchanged) await this.#renew(changed);
      if (!this.#signal.aborted) this.start(changed);
    }, renewMs.changed);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #renew(changed: () => void): Promise<void> {
    if (this.#state.connection?.kind !== "live") return;
    this.isDue = false;
    this.#passedMs = 0;
    try {
      this.#state.renew(await readNumbers(this.#api, this.#types, this.#signal));
      changed();
    } catch {
      // The stream tells when nobody is there any more; until then it is tried again.
      this.isDue = true;
    }
  }
}
