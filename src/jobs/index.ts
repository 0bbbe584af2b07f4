// The table of what runs on a clock, and the runner: one at a time for each job, errors logged,
// stopped cleanly. Only serve.ts starts it.

import { sweepSilentAgents } from "../core/agents.ts";
import { expireCommands } from "../core/commands.ts";
import type { Core } from "../core/context.ts";
import { flushPresence } from "../core/flush.ts";
import { expireTokens } from "../core/registration-tokens.ts";
import { dropExpiredSessions } from "../core/sessions.ts";

export interface Job {
  name: string;
  everyMs: number;
  run: (core: Core) => Promise<unknown>;
}

/** What a service does by itself. (`decisions.md` 4: flush and expiry every second, the sweep) */
export function jobTable(maintenanceIntervalSeconds: number): Job[] {
  return [
    { name: "flush", everyMs: 1000, run: flushPresence },
    { name: "drop-secrets", everyMs: 1000, run: async (core) => core.oneTimeSecrets.dropOld() },
    { name: "expire-commands", everyMs: 1000, run: expireCommands },
    { name: "sweep", everyMs: maintenanceIntervalSeconds * 1000, run: sweep },
  ];
}

async function sweep(core: Core): Promise<void> {
  await sweepSilentAgents(core);
  await expireTokens(core);
  await dropExpiredSessions(core);
  await core.db.tidy();
}

export interface RunningJobs {
  /** Waits for what runs; starts nothing any more. */
  stop(): Promise<void>;
}

export function startJobs(core: Core, jobs: Job[]): RunningJobs {
  const stops = jobs.map((job) => repeat(core, job));
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
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
    core.log.error({ err: error, job: job.name }, "a job failed; it will run again");
  }
}
