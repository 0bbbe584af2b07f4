import { setTimeout as pause } from "node:timers/promises";
import { orAborted } from "./time-limit.ts";

/** Rejects with the signal's reason, where Node's own pause rejects with an AbortError. */
export function pauseOrAborted(ms: number, signal: AbortSignal): Promise<void> {
  return orAborted(pause(ms, undefined, { signal }), signal);
}
