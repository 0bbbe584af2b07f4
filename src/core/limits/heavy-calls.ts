// Lets each credential make one heavy call at a time, while a few more wait for their turn. Forgets
// a credential when its last call has ended.

import { credentialOf, type Principal } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import { maxHeavyCallsWaiting } from "../../domain/limits.ts";
import type { Caller } from "../caller.ts";
import type { LimitWatch } from "./limit-watch.ts";

type Begin = () => void;

export class HeavyCalls {
  /** The waiting calls, by credential. A credential has an entry while one of its calls runs. */
  readonly #waiting = new Map<string, Set<Begin>>();
  readonly #limits: LimitWatch;

  constructor(limits: LimitWatch) {
    this.#limits = limits;
  }

  /**
   * Resolves when the call may run, with a function that must be called when it has ended. Throws
   * RATE_LIMITED if too many are waiting.
   */
  async enter(principal: Principal, caller: Caller): Promise<() => void> {
    const key = credentialOf(principal) ?? principal.kind;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, new Set());
    else if (waiting.size >= maxHeavyCallsWaiting) throw this.#tooMany(key);
    else await turnIn(waiting, caller);
    return () => this.#leave(key);
  }

  #leave(key: string): void {
    const waiting = this.#waiting.get(key);
    const [next] = waiting ?? [];
    if (waiting === undefined || next === undefined) {
      this.#waiting.delete(key);
      return;
    }
    waiting.delete(next);
    next();
  }

  #tooMany(credential: string): AppError {
    this.#limits.note("heavyCalls", { credential });
    const message = `This credential already has ${maxHeavyCallsWaiting} calls of this kind waiting.`;
    return new AppError("RATE_LIMITED", `${message} Make them one after the other.`, {
      retryAfterSeconds: 1,
    });
  }
}

/** Resolves when it is this call's turn. A caller who leaves gives up the place. */
async function turnIn(waiting: Set<Begin>, caller: Caller): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.add(resolve);
  const giveUp = () => {
    if (waiting.delete(resolve)) reject(new AppError("UNAVAILABLE", "The caller has left."));
  };
  const stopListening = caller.onGone(giveUp);
  if (caller.gone) giveUp();
  await promise.finally(stopListening);
}
