// Emits an event for each kind of problem once, and another when forwarding works again.

import { messageOf } from "../../connection/errors.ts";
import type { Emit } from "../../events/events.ts";
import {
  delayAfter,
  type ForwardingTiming,
  ForwardingTrouble,
  troubleCodeOf,
} from "./forwarding-trouble.ts";

export function createTroubleReporter(serviceCode: string, timing: ForwardingTiming, emit: Emit) {
  const emitted = new Set<string>();
  let failures = 0;
  let since = 0;

  /** Returns the delay before the next attempt in milliseconds. */
  function failed(error: unknown): number {
    if (failures++ === 0) since = performance.now();
    const delayMs = delayAfter(error, failures, timing);
    const code = troubleCodeOf(error);
    if (!emitted.has(code)) emitFailed(code, error, delayMs);
    return delayMs;
  }

  function over(): void {
    if (failures === 0) return;
    failures = 0;
    emitted.clear();
    const afterMs = Math.round(performance.now() - since);
    const message = `Events of ${serviceCode} are forwarded again.`;
    emit("info", message, { type: "bus.restored", serviceCode, afterMs });
  }

  function emitFailed(code: string, error: unknown, delayMs: number): void {
    emitted.add(code);
    const message = `Events of ${serviceCode} cannot be forwarded: ${messageOf(error)}`;
    // A service may be unavailable for a while, but an operator must fix an error from the server.
    const level = error instanceof ForwardingTrouble ? "warn" : "error";
    emit(level, message, { type: "bus.failed", serviceCode, code, delayMs });
  }

  return { failed, over };
}
