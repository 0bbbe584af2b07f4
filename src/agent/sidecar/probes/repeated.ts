// Does something again and again: at once, and then at an interval.

import { pause } from "../../bell.ts";
import { jittered } from "../../connection/backoff.ts";

export class Repeated {
  readonly #intervalMs: number;
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #ender = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();

  /** `work` must not reject; it ends soon once its signal is aborted. */
  constructor(intervalMs: number, work: (signal: AbortSignal) => Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#work = work;
  }

  /**
   * Works at once and then at the interval, give or take 10 %, from one beginning to the next; work that
   * takes longer than that is waited for. The first wait is shorter by chance, so that many that begin
   * together do not go on in step.
   */
  start(): void {
    this.#running = this.#run(this.#ender.signal);
  }

  /** Resolves when the work was done once; and on `stop`. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** Ends running work at once. */
  async stop(): Promise<void> {
    this.#ender.abort(new Error("the agent stops"));
    await this.#running;
    this.#first.resolve();
  }

  async #run(signal: AbortSignal): Promise<void> {
    let waitMs = Math.random() * this.#intervalMs;
    while (!signal.aborted) {
      const startedAt = performance.now();
      await this.#work(signal);
      this.#first.resolve();
      await pause(Math.max(0, waitMs - (performance.now() - startedAt)), signal);
      waitMs = jittered(this.#intervalMs);
    }
  }
}
