// How late the event loop is: what everything else in this process waits for. Measured only where a
// server runs (serve.ts starts it), and only the newest minutes are told, whoever asks how often.

import { type ELDHistogram, monitorEventLoopDelay } from "node:perf_hooks";

export interface Delays {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Of all that was measured since the start: how often, and the sum of the delays. */
  count: number;
  sumMs: number;
}

const resolutionMs = 20;
/** A window is read for at least this long before the next begins. */
const windowMs = 60_000;

type Window = Pick<Delays, "p50Ms" | "p99Ms" | "maxMs">;

export class EventLoopDelay {
  readonly #monotonic: () => number;
  #histogram: ELDHistogram | null = null;
  #windowSince = 0;
  #before: Window = { p50Ms: 0, p99Ms: 0, maxMs: 0 };
  #count = 0;
  #sumMs = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Keeps no process alive. */
  start(): void {
    if (this.#histogram) return;
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#histogram.enable();
    this.#windowSince = this.#monotonic();
  }

  stop(): void {
    this.#histogram?.disable();
    this.#histogram = null;
  }

  /**
   * The worse of the last minute or so and the one before it; null where nothing is measured. A
   * window is longer when nobody asked meanwhile.
   */
  read(): Delays | null {
    const histogram = this.#histogram;
    if (!histogram) return null;
    const { count } = histogram;
    const sumMs = count === 0 ? 0 : delayOf(histogram.mean) * count;
    const now: Window = {
      p50Ms: delayOf(histogram.percentile(50)),
      p99Ms: delayOf(histogram.percentile(99)),
      maxMs: delayOf(histogram.max),
    };
    const delays = {
      p50Ms: Math.max(now.p50Ms, this.#before.p50Ms),
      p99Ms: Math.max(now.p99Ms, this.#before.p99Ms),
      maxMs: Math.max(now.maxMs, this.#before.maxMs),
      count: this.#count + count,
      sumMs: this.#sumMs + sumMs,
    };
    if (this.#monotonic() - this.#windowSince >= windowMs) {
      histogram.reset();
      this.#windowSince = this.#monotonic();
      this.#before = now;
      this.#count = delays.count;
      this.#sumMs = delays.sumMs;
    }
    return delays;
  }
}

/**
 * Node measures from one look at the clock to the next: the pause between them is no delay. Whole
 * microseconds.
 */
function delayOf(nanoseconds: number): number {
  return Math.round(Math.max(0, nanoseconds / 1e6 - resolutionMs) * 1000) / 1000;
}
