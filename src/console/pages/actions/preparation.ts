// One PREPARE for each opening of an action: it makes a command that reaches an agent, so it is asked once,
// whatever React does with the page meanwhile, and not waited for any more when the page is left.

import { call, type Reply } from "../../client/call.ts";

export type Prepared = Reply<"actions.prepare">;
export type Action = Prepared["action"];
export type Service = Reply<"services.get">;

export type PreparationState =
  | { kind: "running" }
  | { kind: "ready"; prepared: Prepared }
  | { kind: "failed"; error: unknown };

export class Preparation {
  readonly #serviceId: string;
  readonly #actionName: string;
  readonly #leaving = new AbortController();
  readonly #listeners = new Set<() => void>();
  #state: PreparationState = { kind: "running" };
  #isAsked = false;

  constructor(serviceId: string, actionName: string) {
    this.#serviceId = serviceId;
    this.#actionName = actionName;
  }

  readonly state = (): PreparationState => this.#state;

  /** Asks, the first time; tells of the answer until the function that it gives back is called. */
  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#isAsked) {
      this.#isAsked = true;
      void this.#ask();
    }
    return () => {
      this.#listeners.delete(listener);
      // React takes a page away for a moment and puts it back: that is no leaving.
      setTimeout(() => {
        if (this.#listeners.size === 0) this.#leaving.abort();
      });
    };
  };

  async #ask(): Promise<void> {
    const params = { serviceId: this.#serviceId, actionName: this.#actionName };
    const query = { fromCatalog: true };
    try {
      const prepared = await call("actions.prepare", { params, query }, this.#leaving.signal);
      this.#become({ kind: "ready", prepared });
    } catch (error) {
      if (!this.#leaving.signal.aborted) this.#become({ kind: "failed", error });
    }
  }

  #become(state: PreparationState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
