// Time that passes over a test app the way it does over a running service: second by second, and the
// jobs do their work. When a job is due follows from that time alone, not from how fast the test is.

import type { Core } from "../../src/core/context.ts";
import { jobTable } from "../../src/jobs/index.ts";
import type { TestApp } from "../helpers/app.ts";

/** Lets `ms` pass; whole seconds, then the rest. */
export type Pass = (ms: number) => Promise<void>;

/** `everySecond` is done before the jobs of each second. */
export function passingTime(
  { app, clock }: TestApp,
  everySecond: () => Promise<unknown> = async () => undefined,
): Pass {
  const jobs = jobTable();
  let monotonic = 0;
  const core: Core = { ...app.core, startedAt: monotonic, monotonic: () => monotonic };
  return async (ms) => {
    for (let passed = 0; passed < ms; passed += 1000) {
      const step = Math.min(1000, ms - passed);
      monotonic += step;
      clock.advance(step);
      await everySecond();
      for (const job of jobs) await job.run(core);
    }
  };
}
