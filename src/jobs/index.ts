// Recurring jobs. A job never overlaps with itself, and its errors are logged.

import { writeAuditSums } from "../core/audit/repeated-events.ts";
import { copyAuditHead, logAuditHead, signAuditHead } from "../core/audit/signed-head.ts";
import { expireCommands } from "../core/commands/expire-commands.ts";
import type { Core } from "../core/context.ts";
import { flushPresence } from "../core/memory/flush.ts";
import { catchUp, sweep } from "../core/system/maintenance.ts";
import { timeToDeleteBy } from "../core/system/retention-clock.ts";

export interface Job {
  name: string;
  everyMs: number;
  run: (core: Core) => Promise<unknown>;
}

const second = 1000;

export function jobTable(): Job[] {
  return [
    { name: "flush", everyMs: second, run: flushPresence },
    { name: "drop-secrets", everyMs: second, run: async (core) => core.oneTimeSecrets.dropOld() },
    { name: "expire-commands", everyMs: second, run: watchThenExpire },
    { name: "watch-storage", everyMs: second, run: watchStorage },
    { name: "sum-repeated-events", everyMs: second, run: (core) => writeAuditSums(core) },
    { name: "watch-clock", everyMs: second, run: async (core) => core.statusClock.watch() },
    { name: "sign-audit-head", everyMs: second, run: signAuditHead },
    { name: "copy-audit-head", everyMs: 10 * second, run: copyAuditHead },
    { name: "log-audit-head", everyMs: 3600 * second, run: logAuditHead },
    { name: "sweep", everyMs: second, run: sweepWhenDue() },
  ];
}

/** Writes the retention clock, which must be kept up to date anyway. */
function watchStorage(core: Core): Promise<void> {
  return core.storage.look(core, () => timeToDeleteBy(core));
}

/** Checks the clock first, because no result could arrive while the process was paused. */
function watchThenExpire(core: Core): Promise<number> {
  core.statusClock.watch();
  return expireCommands(core);
}

/**
 * Reads the interval each time, so that a change takes effect immediately. A clock jump also makes
 * the sweep due, because the last calls of agents may then be in the future.
 */
function sweepWhenDue(): Job["run"] {
  let last: number | null = null;
  let disturbances = 0;
  return async (core) => {
    // This comes first, so that a pause of the process does not make agents look silent.
    core.statusClock.watch();
    last ??= core.startedAt;
    const { maintenanceIntervalSeconds } = await core.settings.live.get();
    const isDue = core.monotonic() - last >= maintenanceIntervalSeconds * 1000;
    if (!isDue && core.statusClock.disturbances === disturbances) return catchUp(core);
    last = core.monotonic();
    disturbances = core.statusClock.disturbances;
    core.log.debug({ ...(await sweep(core)) }, "swept");
  };
}

/** The returned function stops the jobs: it starts no more and waits for those that are running. */
export function startJobs(core: Core, jobs: Job[]): () => Promise<unknown> {
  const stops = jobs.map((job) => repeat(core, job));
  return () => Promise.all(stops.map((stop) => stop()));
}

function repeat(core: Core, job: Job): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(tick, job.everyMs);
  function tick(): void {
    running = runOnce(core, job).then(() => {
      if (!stopped) timer = setTimeout(tick, job.everyMs);
    });
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}

async function runOnce(core: Core, job: Job): Promise<void> {
  try {
    await job.run(core);
  } catch (error) {
    if (core.storage.took(core, error)) return;
    core.log.error({ err: error, job: job.name }, "a job failed; it will run again");
  }
}
