// The sweep: what time does to the stored state, written down. It runs by itself and when asked for.
// (`decisions.md` 4 last paragraph, 5 "maintenance")

import { deleteBusEvents } from "../store/bus-events.ts";
import { sweepSilentAgents } from "./agents.ts";
import { pruneAuditEvents } from "./audit-retention.ts";
import { audit } from "./audit-trail.ts";
import { expireCommands } from "./commands.ts";
import type { Core, Ctx } from "./context.ts";
import { pruneAnswers } from "./idempotency-keys.ts";
import { expireTokens } from "./registration-tokens.ts";
import { dropExpiredSessions } from "./sessions.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Events deleted in one transaction: they may be large. */
const batch = 100;
/** Events deleted in one sweep: whoever stops the service waits for it. */
const maxEventsPerSweep = 50_000;

/** What one sweep has done. */
export interface SweepReport {
  agentsOffline: number;
  serviceStatusesStored: number;
  commandsExpired: number;
  registrationTokensExpired: number;
  sessionsEnded: number;
  auditEventsPruned: number;
  busEventsPruned: number;
  durationMs: number;
}

export async function sweep(core: Core): Promise<SweepReport> {
  const began = core.monotonic();
  const silent = await sweepSilentAgents(core);
  const commandsExpired = await expireCommands(core);
  const registrationTokensExpired = await expireTokens(core);
  const sessionsEnded = await dropExpiredSessions(core);
  await pruneAnswers(core);
  const { auditRetentionDays, busEventRetentionDays } = await core.settings.live.get();
  const auditEventsPruned = await pruned(core, auditRetentionDays, pruneAuditEvents);
  const busEventsPruned = await pruned(core, busEventRetentionDays, pruneBusEvents);
  await core.db.tidy().catch((error: unknown) => {
    core.log.warn({ err: error }, "the storage could not be tidied");
  });
  return {
    ...silent,
    commandsExpired,
    registrationTokensExpired,
    sessionsEnded,
    auditEventsPruned,
    busEventsPruned,
    durationMs: Math.round(core.monotonic() - began),
  };
}

/** Sweeps now, whenever the next sweep is due, and leaves a trace of it. */
export async function runMaintenance(ctx: Ctx): Promise<SweepReport> {
  const report = await sweep(ctx.core);
  await ctx.core.db.write((tx) =>
    audit(ctx, tx, {
      action: "maintenance.run",
      targetType: "system",
      targetId: null,
      metadata: { ...report },
    }),
  );
  return report;
}

/** Prunes what is older than so many days; 0 days: nothing ever. Answers how many. */
async function pruned(
  core: Core,
  retentionDays: number,
  prune: (core: Core, before: number) => Promise<number>,
): Promise<number> {
  // What is deleted does not come back when somebody puts the clock right.
  if (retentionDays === 0 || core.statusClock.isDoubtful()) return 0;
  return prune(core, core.statusClock.now() - retentionDays * dayMs);
}

async function pruneBusEvents(core: Core, before: number): Promise<number> {
  let count = 0;
  while (true) {
    const deleted = await core.db.write((tx) => deleteBusEvents(tx, before, batch));
    count += deleted;
    if (deleted < batch || count >= maxEventsPerSweep) return count;
  }
}
