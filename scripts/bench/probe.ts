// Loaded into the server's process with --import, to measure its event loop and memory without an
// inspector. The server's children inherit the option, and do nothing with it.

import { type ELDHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** `reset` starts a new measurement of the event loop. `collect` first frees all garbage. */
export type ProbeQuestion = "reset" | "read" | "collect";

export interface ProbeAnswer {
  /** How late the turns of the event loop were. */
  loop: { minMs: number; p50Ms: number; p99Ms: number; maxMs: number; samples: number };
  /** Read before `collect` frees garbage. */
  rssBytes: number;
  heapBytes: number;
}

const resolutionMs = 5;

if (process.argv.includes("serve") && process.send) {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  process.on("message", (question: ProbeQuestion) => {
    const rssBytes = process.memoryUsage.rss();
    if (question === "reset") histogram.reset();
    if (question === "collect") globalThis.gc?.();
    const heapBytes = process.memoryUsage().heapUsed;
    process.send?.({ loop: loopOf(histogram), rssBytes, heapBytes } satisfies ProbeAnswer);
  });
  // The channel must not keep the server alive.
  process.channel?.unref();
}

function loopOf(histogram: ELDHistogram): ProbeAnswer["loop"] {
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  return {
    minMs: histogram.count === 0 ? 0 : delay(histogram.min),
    p50Ms: delay(histogram.percentile(50)),
    p99Ms: delay(histogram.percentile(99)),
    maxMs: histogram.count === 0 ? 0 : delay(histogram.max),
    samples: histogram.count,
  };
}
