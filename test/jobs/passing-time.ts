// Simulates time for a test app as in a running service, with the jobs.

import type { Core } from "../../src/core/context.ts";
import { jobTable } from "../../src/jobs/index.ts";
import type { TestApp } from "../helpers/app.ts";

/** Advances the time by `ms`, in steps and then by the rest. */
export type Pass = (ms: number, stepMs?: number) => Promise<void>;

/** `everyStep` runs before the jobs of each step. */
export function passingTime(
  { app, clock }: TestApp,
  everyStep: () => Promise<unknown> = async () => undefined,
): Pass {
  const jobs = jobTable();
  app.core.rollouts.start();
  let monotonic = 0;
  const core: Core = { ...app.core, startedAt: monotonic, monotonic: () => monotonic };
  return async (ms, stepMs = 5000) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      const step = Math.min(stepMs, ms - passed);
      monotonic += step;
      clock.advance(step);
      await everyStep();
      for (const job of jobs) await job.run(core);
    }
  };
}
