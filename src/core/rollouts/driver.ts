// Continues rollouts when a command has ended, and every second. Each step is computed from the
// database, so any node can take it, even after a crash. What is remembered here only avoids
// unnecessary steps.

import { setTimeout as pause } from "node:timers/promises";

/** How long the event loop is free between two transactions. */
const restMs = 2;

export class RolloutDriver {
  readonly #advance: (id: string) => Promise<boolean>;
  /** The rollouts in progress, by id; true if the rollout must be looked at again. */
  readonly #busy = new Map<string, boolean>();
  readonly #runs = new Set<Promise<void>>();
  #isStarted = false;

  /** `advance` returns whether there is more to do now. It must not throw. */
  constructor(advance: (id: string) => Promise<boolean>) {
    this.#advance = advance;
  }

  /** Until this is called, rollouts wait. Only servers call it, not commands with `--db`. */
  start(): void {
    this.#isStarted = true;
  }

  /** Starts no more steps, and waits for those that are running. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    await Promise.all(this.#runs);
  }

  wake(id: string): void {
    if (!this.#isStarted) return;
    const isBusy = this.#busy.has(id);
    this.#busy.set(id, isBusy);
    if (isBusy) return;
    const run = this.#run(id).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  async #run(id: string): Promise<void> {
    try {
      while (this.#isStarted) {
        this.#busy.set(id, false);
        const isMore = await this.#advance(id);
        if (!isMore && !this.#busy.get(id)) return;
        await pause(restMs);
      }
    } finally {
      this.#busy.delete(id);
    }
  }
}
