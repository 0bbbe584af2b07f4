import { pause } from "../../bell.ts";
import { jittered } from "../../connection/backoff.ts";

export abstract class Repeated {
  readonly #intervalMs: number;
  readonly #first = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  readonly #stopper = new AbortController();
  /** Aborted to leave out the pause after the current run. */
  #pause = new AbortController();

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
    this.#running = this.#run();
  }

  /** Resolves after the first run or on `stop`. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** Begins the next run at once, or right after a run that has begun. */
  protected again(): void {
    this.#pause.abort();
  }

  async stop(): Promise<void> {
    this.#stopper.abort(new Error("the agent is stopping"));
    this.again();
    await this.#running;
    this.#first.resolve();
  }

  async #run(): Promise<void> {
    let waitMs = Math.random() * this.#intervalMs;
    while (!this.#stopper.signal.aborted) {
      this.#pause = new AbortController();
      const startedAt = performance.now();
      await this.work(this.#stopper.signal);
      this.#first.resolve();
      const leftMs = Math.max(0, waitMs - (performance.now() - startedAt));
      await pause(leftMs, this.#pause.signal);
      waitMs = jittered(this.#intervalMs);
    }
  }
}
