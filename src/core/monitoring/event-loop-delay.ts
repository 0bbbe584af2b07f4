// Measures the delay of the event loop. A reading covers at least the last minute.

import { type ELDHistogram, monitorEventLoopDelay } from "node:perf_hooks";

export interface Delays {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** The number of measurements since the start, and the sum of their delays. */
  count: number;
  sumMs: number;
}

const resolutionMs = 20;
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

  /** Does not keep the process alive. */
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

  /** Returns the worse values of the current and the previous window, or null before `start`. */
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

/** Rounds to microseconds, and subtracts the resolution, which Node adds to each measurement. */
function delayOf(nanoseconds: number): number {
  return Math.round(Math.max(0, nanoseconds / 1e6 - resolutionMs) * 1000) / 1000;
}
