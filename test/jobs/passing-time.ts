// Simulates time for a test app as in a running service: second by second, with the jobs.

import type { Core } from "../../src/core/context.ts";
import { jobTable } from "../../src/jobs/index.ts";
import type { TestApp } from "../helpers/app.ts";

/** Advances the time by `ms`, in whole seconds and then by the rest, or in longer steps. */
export type Pass = (ms: number, stepMs?: number) => Promise<void>;

/** `everySecond` runs before the jobs of each second or longer step. */
export function passingTime(
  { app, clock }: TestApp,
  everySecond: () => Promise<unknown> = async () => undefined,
): Pass {
  const jobs = jobTable();
  let monotonic = 0;
  const core: Core = { ...app.core, startedAt: monotonic, monotonic: () => monotonic };
  return async (ms, stepMs = 1000) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      const step = Math.min(stepMs, ms - passed);
      monotonic += step;
      clock.advance(step);
      await everySecond();
      for (const job of jobs) await job.run(core);
    }
  };
}
