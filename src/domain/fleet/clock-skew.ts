// How far an agent's clock is from the server's.

import { formatDuration } from "../../lib/duration.ts";

/** From this skew on, times of the two hosts, such as those in logs, cannot be compared. */
const clockOffMs = 60_000;

/** A heartbeat is delayed by the network and by queues, so a smaller skew means little. */
export function isClockOff(skewMs: number): boolean {
  return Math.abs(skewMs) >= clockOffMs;
}

/** `3h ahead`, `12s behind` or `exact`. */
export function clockText(skewMs: number): string {
  const shown = shownSkewMs(skewMs);
  if (shown === 0) return "exact";
  return `${formatDuration(shown / 1000)} ${skewMs > 0 ? "ahead" : "behind"}`;
}

/**
 * Rounds to whole seconds or, from one minute on, down to whole minutes. Returns milliseconds
 * without a sign.
 */
export function shownSkewMs(skewMs: number): number {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return 1000 * (seconds < 60 ? seconds : 60 * Math.floor(seconds / 60));
}
