// Reads the overview, at a cost that does not grow with the number of commands.

import type { overview } from "../../api/overview.ts";
import { duplicationShownMs } from "../../domain/fleet/agent-instances.ts";
import { agentStatuses } from "../../domain/fleet/agents.ts";
import type { HealthMap } from "../../domain/fleet/health-map.ts";
import { effectiveStatuses } from "../../domain/fleet/services.ts";
import {
  bypassesShown,
  duplicatedAgentsShown,
  healthMapServices,
  overviewCommands,
} from "../../domain/limits.ts";
import { withZeros } from "../../domain/metrics.ts";
import { bucketsOf, type OverviewHours, windowOf } from "../../domain/overview.ts";
import { scheduleStates } from "../../domain/schedules/schedules.ts";
import { dayMs } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { ReadyJson, withMembers } from "../../lib/json/ready-json.ts";
import type { Reader } from "../../store/database.ts";
import { countPendingApprovals, listBypasses } from "../../store/tables/approvals/approvals.ts";
import { findDamagedRow } from "../../store/tables/audit-damage.ts";
import { listDuplicatedAgents } from "../../store/tables/fleet/agent-instances.ts";
import {
  countAgents,
  countOpenCommands,
  countRegistrationTokens,
  countSchedules,
} from "../../store/tables/metrics.ts";
import {
  countEffectiveStatuses,
  healthMapJson,
  listEndedExecutions,
} from "../../store/tables/overview.ts";
import { openLoss, toLossView } from "../audit/data-loss.ts";
import { bulkReader, type Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { isPaused, readPause } from "../schedules/pausing.ts";

export const handlers: HandlersOf<typeof overview> = {
  "overview.get": (ctx) => getOverview(ctx),
  "overview.health-map": (ctx) => getHealthMap(ctx),
  "overview.commands": (ctx, { query }) => getCommandsOverTime(ctx, query.hours),
};

/** Services are counted by their effective status, not the stored one. */
async function getOverview(ctx: Ctx) {
  const { core } = ctx;
  const read = bulkReader(ctx);
  const now = core.now();
  const { thresholds } = core.settings;
  const services = await countEffectiveStatuses(read, core.statusClock.now(), thresholds);
  const { ACTIVE = 0 } = await countRegistrationTokens(read, now);
  const loss = await openLoss(read);
  return {
    at: isoTime(now),
    agents: withZeros(agentStatuses, await countAgents(read)),
    services: withZeros(effectiveStatuses, services),
    commands: withZeros(["PENDING", "RUNNING"], await countOpenCommands(read)),
    registrationTokens: { ACTIVE },
    schedules: {
      ...withZeros(scheduleStates, await countSchedules(read)),
      allPaused: isPaused(await readPause(read)),
    },
    approvals: await overviewOfApprovals(read, now),
    dataLoss: loss && toLossView(loss),
    auditBroken: (await findDamagedRow(read)) !== null,
    duplicatedAgents: await duplicatedAgents(read, now),
  };
}

async function duplicatedAgents(db: Reader, now: number) {
  const found = await listDuplicatedAgents(db, now - duplicationShownMs, duplicatedAgentsShown);
  return found.map(({ id, code, duplicatedAt }) => {
    return { agentId: id, agentCode: code, at: isoTime(duplicatedAt) };
  });
}

async function overviewOfApprovals(db: Reader, now: number) {
  const { days, newest: most } = bypassesShown;
  const { total, newest } = await listBypasses(db, now - days * dayMs, most);
  return {
    pending: await countPendingApprovals(db),
    bypassed: total,
    bypasses: newest.map(({ id, title, requester, stateReason, createdAt }) => {
      const why = stateReason ?? "";
      return { approvalId: id, title, by: requester.name, why, at: isoTime(createdAt) };
    }),
  };
}

/** If there are too many services, returns only the most urgent ones. */
async function getHealthMap(ctx: Ctx): Promise<ReadyJson<HealthMap & { at: string }>> {
  const { core } = ctx;
  const { thresholds } = core.settings;
  const now = core.statusClock.now();
  const map = await healthMapJson(bulkReader(ctx), now, thresholds, healthMapServices);
  return new ReadyJson(withMembers({ at: isoTime(core.now()) }, map));
}

/** With too many executions, the counts are complete only from `coveredFrom` on. */
async function getCommandsOverTime(ctx: Ctx, hours: OverviewHours) {
  const { core } = ctx;
  const window = windowOf(hours, core.now());
  const latest = await listEndedExecutions(bulkReader(ctx), window, overviewCommands + 1);
  const leftOut = latest[overviewCommands];
  const counted = latest.slice(0, overviewCommands);
  return {
    from: isoTime(window.from),
    to: isoTime(window.to),
    bucketSeconds: window.bucketSeconds,
    coveredFrom: isoTime(leftOut ? leftOut.completedAt + 1 : window.from),
    sampleSize: counted.length,
    buckets: bucketsOf(window, counted).map(({ at, ...rest }) => ({ at: isoTime(at), ...rest })),
  };
}
