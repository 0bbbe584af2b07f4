// The maintenance sweep stores changes that happen with time, such as expiries, and deletes old
// data.
// (docs/decisions/0016-retention.md)

import type { ReplyData } from "../../api/contract/route.ts";
import type { maintenance } from "../../api/maintenance.ts";
import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import { dayMs } from "../../lib/duration.ts";
import type { Tx } from "../../store/database.ts";
import { deleteExpiredSessions } from "../../store/tables/access/sessions.ts";
import { deleteBusEvents } from "../../store/tables/bus/bus-events.ts";
import { deleteRolloutParts, listSettledRolloutIds } from "../../store/tables/rollouts/rollouts.ts";
import { deleteEndedRuns } from "../../store/tables/schedules/schedule-runs.ts";
import { pruneCredentials } from "../access/credential-retention.ts";
import { pruneApprovals } from "../approval-decisions/ending.ts";
import { acceptLoss } from "../audit/data-loss.ts";
import { maxRowsPerRun, pruneAuditEvents } from "../audit/retention.ts";
import { audit } from "../audit/trail.ts";
import { findTimeToDeleteBy, timeToDeleteBy, trustWallClock } from "../clock/retention-clock.ts";
import { forgetNodes } from "../cluster/nodes.ts";
import { expireCommands } from "../commands/endings.ts";
import { dropOldSecrets } from "../commands/old-secrets.ts";
import { maxCommandsPerRun, pruneCommands } from "../commands/retention.ts";
import type { Core, Ctx } from "../context.ts";
import { endNotes } from "../fleet/attention.ts";
import { expireTokens } from "../fleet/registration-tokens.ts";
import { maxPeriodsPerRun, pruneServiceHistory } from "../fleet/service-history.ts";
import { deleteSilentAgents, deleteSilentServices } from "../fleet/silence-retention.ts";
import { sweepSilentAgents } from "../fleet/status-sweep.ts";
import type { HandlersOf } from "../handlers.ts";
import { pruneAnswers } from "../idempotency-keys.ts";
import { inBatches, inTransactions } from "../short-transactions.ts";

export const handlers: HandlersOf<typeof maintenance> = {
  "maintenance.run": (ctx, { body }) => runMaintenance(ctx, body.trustClock),
  "maintenance.accept-data-loss": acceptLoss,
};

/** Kept small, because events can be large. */
const eventsAtOnce = 20;
const maxEventsPerSweep = 50_000;
const sessionsAtOnce = 50;
const runsAtOnce = 50;
const rolloutTargetsAtOnce = 500;

type SweepReport = ReplyData<(typeof maintenance)["maintenance.run"]>;

export async function sweep(core: Core): Promise<SweepReport> {
  const began = core.monotonic();
  const silent = await sweepSilentAgents(core);
  const commandsExpired = await expireCommands(core);
  await endNotes(core);
  const deleted = await deleteOld(core, await timeToDeleteBy(core));
  return { ...silent, commandsExpired, ...deleted, durationMs: since(core, began) };
}

/**
 * Like `sweep`, but for a command with `--db`. It has no listener, so it cannot know whether agents
 * are silent. It therefore changes no status of agents, services or commands, and ends no
 * acknowledgements. It also stores no time at which a server ran.
 */
async function sweepWithoutListener(core: Core): Promise<SweepReport> {
  const began = core.monotonic();
  const deleted = await deleteOld(core, await findTimeToDeleteBy(core));
  const silent = { agentsOffline: 0, serviceStatusesStored: 0, commandsExpired: 0 };
  return { ...silent, ...deleted, durationMs: since(core, began) };
}

function since({ monotonic }: Core, began: number): number {
  return Math.round(monotonic() - began);
}

/**
 * `now` comes from the retention clock: deletions and final statuses cannot be undone when a wrong
 * clock is corrected.
 */
async function deleteOld(core: Core, now: number) {
  const ended = {
    registrationTokensExpired: await expireTokens(core, now),
    sessionsEnded: await inBatches(core, sessionsAtOnce, (tx, limit) =>
      deleteExpiredSessions(tx, now, limit),
    ),
  };
  await pruneAnswers(core, now);
  const days = await core.settings.live.get();
  const deleted = {
    ...(await pruneHistory(core, now)),
    credentialsPruned: await pruned(core, now, days.auditRetentionDays, pruneCredentials),
    agentsDeleted: await pruned(core, now, days.silentRetentionDays, deleteSilentAgents),
    servicesDeleted: await pruned(core, now, days.silentRetentionDays, deleteSilentServices),
  };
  await dropOldSecrets(core);
  await core.loginGuard.failures.dropOld();
  await forgetNodes(core);
  await core.db.tidy().catch((error: unknown) => {
    if (core.storage.recordFailure(core, error)) return;
    core.log.warn({ err: error }, "unused disk space could not be released");
  });
  return { ...ended, ...deleted };
}

/** Deletes more of the history, if the last run has reached one of its limits. */
export async function catchUp(core: Core): Promise<void> {
  if (core.retention.isBehind) await pruneHistory(core, await timeToDeleteBy(core));
}

async function pruneHistory(core: Core, now: number) {
  const days = await core.settings.live.get();
  const counts = {
    auditEventsPruned: await pruned(core, now, days.auditRetentionDays, pruneAuditEvents),
    busEventsPruned: await pruned(core, now, days.busEventRetentionDays, pruneBusEvents),
    commandsPruned: await pruned(core, now, days.commandRetentionDays, pruneCommands),
    rolloutsPruned: await pruned(core, now, days.commandRetentionDays, pruneRollouts),
    scheduleRunsPruned: await pruned(core, now, days.commandRetentionDays, pruneScheduleRuns),
    approvalsPruned: await pruned(core, now, days.commandRetentionDays, pruneApprovals),
    servicePeriodsPruned: await pruned(
      core,
      now,
      days.serviceHistoryRetentionDays,
      pruneServiceHistory,
    ),
  };
  core.retention.isBehind =
    counts.auditEventsPruned >= maxRowsPerRun ||
    counts.busEventsPruned >= maxEventsPerSweep ||
    counts.commandsPruned >= maxCommandsPerRun ||
    counts.servicePeriodsPruned >= maxPeriodsPerRun;
  return counts;
}

/** With `trustClock`, an owner confirms that the wall clock is right. */
async function runMaintenance(ctx: Ctx, trustClock = false): Promise<SweepReport> {
  if (trustClock) {
    if (!mayActAs(roleOf(ctx.principal), "owner")) {
      const message = "Only an owner can confirm the clock, because deletions depend on it.";
      throw new AppError("FORBIDDEN", message, { details: { needed: "owner" } });
    }
    await trustWallClock(ctx);
  }
  const report = await (ctx.principal.kind === "local" ? sweepWithoutListener : sweep)(ctx.core);
  const metadata = { ...report };
  await ctx.core.db.write((tx) =>
    audit(ctx, tx, { action: "maintenance.run", targetId: null, metadata }),
  );
  return report;
}

/** If `retentionDays` is 0, nothing is pruned. */
async function pruned(
  core: Core,
  now: number,
  retentionDays: number,
  prune: (core: Core, before: number) => Promise<number>,
): Promise<number> {
  if (retentionDays === 0 || core.stopping.aborted) return 0;
  return prune(core, now - retentionDays * dayMs);
}

function pruneBusEvents(core: Core, before: number): Promise<number> {
  const some = (tx: Tx, limit: number) => deleteBusEvents(tx, before, limit);
  return inBatches(core, eventsAtOnce, some, maxEventsPerSweep);
}

export function pruneRollouts(core: Core, before: number): Promise<number> {
  return inTransactions(core, Infinity, async (tx) => {
    const [id] = await listSettledRolloutIds(tx, before, 1);
    if (id === undefined) return { count: 0, isLast: true };
    const isDeleted = await deleteRolloutParts(tx, id, rolloutTargetsAtOnce);
    return { count: isDeleted ? 1 : 0, isLast: false };
  });
}

export function pruneScheduleRuns(core: Core, before: number): Promise<number> {
  return inBatches(core, runsAtOnce, (tx, limit) => deleteEndedRuns(tx, before, limit));
}
