// The sweep: what time does to the stored state, written down. It runs by itself and when asked for.
// (`decisions.md` 4 last paragraph, 5 "maintenance")

import { deleteBusEvents } from "../store/bus-events.ts";
import { sweepSilentAgents } from "./agents.ts";
import { audit } from "./audit-trail.ts";
import { expireCommands } from "./commands.ts";
import type { Core, Ctx } from "./context.ts";
import { expireTokens } from "./registration-tokens.ts";
import { dropExpiredSessions } from "./sessions.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Rows deleted in one transaction. */
const batch = 1000;

/** What one sweep has done. */
export interface SweepReport {
  agentsOffline: number;
  serviceStatusesStored: number;
  commandsExpired: number;
  registrationTokensExpired: number;
  sessionsEnded: number;
  busEventsPruned: number;
  durationMs: number;
}

export async function sweep(core: Core): Promise<SweepReport> {
  const began = core.monotonic();
  const silent = await sweepSilentAgents(core);
  const commandsExpired = await expireCommands(core);
  const registrationTokensExpired = await expireTokens(core);
  const sessionsEnded = await dropExpiredSessions(core);
  const { busEventRetentionDays } = await core.settings.live.get();
  return {
    ...silent,
    commandsExpired,
    registrationTokensExpired,
    sessionsEnded,
    busEventsPruned: await pruneBusEvents(core, busEventRetentionDays),
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

async function pruneBusEvents(core: Core, retentionDays: number): Promise<number> {
  if (retentionDays === 0) return 0;
  const before = core.now() - retentionDays * dayMs;
  let pruned = 0;
  while (true) {
    const deleted = await core.db.write((tx) => deleteBusEvents(tx, before, batch));
    pruned += deleted;
    if (deleted < batch) return pruned;
  }
}
