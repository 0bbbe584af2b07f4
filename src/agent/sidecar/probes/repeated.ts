import { pause } from "../../bell.ts";
import { jittered } from "../../connection/backoff.ts";

export abstract class Repeated {
  readonly #intervalMs: number;
  readonly #ender = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** The work must not reject, and must end soon after its signal is aborted. */
  protected abstract work(signal: AbortSignal): Promise<void>;

  /**
   * Runs the work immediately and then at the interval ± 10 %, measured from start to start,
   * without overlaps. The first wait is randomly shorter, so that several instances do not run at
   * the same times.
   */
  start(): void {
    this.#running = this.#run(this.#ender.signal);
  }

  /** Resolves after the first run or on `stop`. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  async stop(): Promise<void> {
    this.#ender.abort(new Error("the agent is stopping"));
    await this.#running;
    this.#first.resolve();
  }

  async #run(signal: AbortSignal): Promise<void> {
    let waitMs = Math.random() * this.#intervalMs;
    while (!signal.aborted) {
      const startedAt = performance.now();
      await this.work(signal);
      this.#first.resolve();
      await pause(Math.max(0, waitMs - (performance.now() - startedAt)), signal);
      waitMs = jittered(this.#intervalMs);
    }
  }
}
