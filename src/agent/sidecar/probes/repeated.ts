import { pause } from "../../bell.ts";
import { jittered } from "../../connection/backoff.ts";

export abstract class Repeated {
  readonly #intervalMs: number;
  readonly #first = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  /** Aborted to end the current run, and the pause after it. */
  #turn = new AbortController();
  #isStopped = false;

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

  /** Aborts a run that has begun, and begins the next one at once. */
  again(): void {
    this.#turn.abort(new Error("it is done again"));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#turn.abort(new Error("the agent is stopping"));
    await this.#running;
    this.#first.resolve();
  }

  async #run(): Promise<void> {
    let waitMs = Math.random() * this.#intervalMs;
    while (!this.#isStopped) {
      this.#turn = new AbortController();
      const { signal } = this.#turn;
      const startedAt = performance.now();
      await this.work(signal);
      this.#first.resolve();
      await pause(Math.max(0, waitMs - (performance.now() - startedAt)), signal);
      waitMs = jittered(this.#intervalMs);
    }
  }
}
