// Recurring jobs. A job never overlaps with itself, and its errors are logged. In a cluster, each
// node runs the jobs with the scope `node`, and one node runs those with the scope `cluster`
// (core/cluster/leadership.ts).

import { expireApprovals } from "../core/approval-decisions/ending.ts";
import { writeAuditSums } from "../core/audit/repeated-events.ts";
import { copyAuditHead, logAuditHead, signAuditHead } from "../core/audit/signed-head.ts";
import { watchSilence } from "../core/clock/absence.ts";
import { moveDeadlines } from "../core/clock/deadlines.ts";
import { timeToDeleteBy } from "../core/clock/retention-clock.ts";
import { noteNode } from "../core/cluster/nodes.ts";
import { expireCommands } from "../core/commands/endings.ts";
import type { Core } from "../core/context.ts";
import { flushPresence } from "../core/presence/flush.ts";
import { wakeRollouts } from "../core/rollouts/advance.ts";
import { runSchedules } from "../core/schedules/firing.ts";
import { catchUp, sweep } from "../core/system/maintenance.ts";
import { nodeEveryMs } from "../domain/nodes.ts";

export interface Job {
  name: string;
  everyMs: number;
  /** Whether every node runs the job, or only one node of the cluster. */
  scope: "node" | "cluster";
  run: (core: Core) => Promise<unknown>;
}

const second = 1000;
const logAgainMs = 60 * second;

export function jobTable(): Job[] {
  return [
    ofNode("flush", second, flushPresence),
    ofCluster("drop-secrets", second, (core) => core.oneTimeSecrets.dropOld()),
    ofCluster("expire-commands", second, expireCommands),
    ofCluster("expire-approvals", second, expireApprovals),
    // Each node continues the rollouts whose commands end at that node, and one node wakes all
    // rollouts.
    ofCluster("advance-rollouts", second, wakeRollouts),
    ofCluster("run-schedules", second, runSchedules),
    ofNode("watch-storage", second, watchStorage),
    ofNode("sum-repeated-events", second, (core) => writeAuditSums(core)),
    ofNode("note-node", nodeEveryMs, noteNode),
    ofNode("watch-clock", second, watchClock),
    // Each node remembers the newest row that it has written, and checks that the row still exists.
    ofNode("sign-audit-head", second, signAuditHead),
    ofNode("copy-audit-head", 10 * second, copyAuditHead),
    ofNode("log-audit-head", 3600 * second, logAuditHead),
    ofCluster("sweep", second, sweepWhenDue()),
  ];
}

function ofNode(name: string, everyMs: number, run: Job["run"]): Job {
  return { name, everyMs, scope: "node", run };
}

/** Looks at the clock first, so that after a pause or an outage no agent seems silent. */
function ofCluster(name: string, everyMs: number, run: Job["run"]): Job {
  const watchThenRun: Job["run"] = async (core) => {
    await watchSilence(core);
    await run(core);
  };
  return { name, everyMs, scope: "cluster", run: watchThenRun };
}

/** Tests the storage by updating the retention clock, which must be kept up to date anyway. */
function watchStorage(core: Core): Promise<void> {
  return core.storage.look(core, () => timeToDeleteBy(core));
}

async function watchClock(core: Core): Promise<void> {
  await watchSilence(core);
  await moveDeadlines(core);
}

/**
 * Reads the interval each time, so that a change takes effect immediately. A clock jump also makes
 * the sweep due, because the last calls of agents may then be in the future.
 */
function sweepWhenDue(): Job["run"] {
  let last: number | null = null;
  let disturbances = 0;
  return async (core) => {
    last ??= core.startedAt;
    const { maintenanceIntervalSeconds } = await core.settings.live.get();
    const isDue = core.monotonic() - last >= maintenanceIntervalSeconds * 1000;
    if (!isDue && core.statusClock.disturbances === disturbances) return catchUp(core);
    last = core.monotonic();
    disturbances = core.statusClock.disturbances;
    core.log.debug({ ...(await sweep(core)) }, "swept");
  };
}

/**
 * Also lets rollouts continue. The returned function stops the jobs and the rollouts: it begins no
 * further run or step, and waits for those in progress.
 */
export function startJobs(core: Core, jobs: Job[]): () => Promise<unknown> {
  const stops = jobs.map((job) => repeat(core, job));
  core.rollouts.start();
  return () => Promise.all([core.rollouts.stop(), ...stops.map((stop) => stop())]);
}

function repeat(core: Core, job: Job): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const failures = new FailureLog();
  let timer = setTimeout(tick, job.everyMs);
  function tick(): void {
    running = runOnce(core, job, failures).then(() => {
      if (!stopped) timer = setTimeout(tick, job.everyMs);
    });
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}

/** Logs a repeated failure, as on a full disk, only once a minute. */
class FailureLog {
  #last: { message: string; at: number } | null = null;

  note(core: Core, job: Job, error: unknown): void {
    const { message } = error as Error;
    const at = core.monotonic();
    const isNews = this.#last?.message !== message || at - this.#last.at >= logAgainMs;
    if (!isNews) return;
    this.#last = { message, at };
    core.log.error({ err: error, job: job.name }, "a job failed; it will run again");
  }
}

async function runOnce(core: Core, job: Job, failures: FailureLog): Promise<void> {
  try {
    if (job.scope === "cluster" && !(await core.leadership.acquire())) return;
    await job.run(core);
  } catch (error) {
    if (core.storage.recordFailure(core, error)) return;
    failures.note(core, job, error);
  }
}
