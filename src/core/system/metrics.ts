import { approvalStates } from "../../domain/approvals/approvals.ts";
import { commandStatuses } from "../../domain/commands/commands.ts";
import { agentStatuses, silentBefore } from "../../domain/fleet/agents.ts";
import { registrationTokenStatuses } from "../../domain/fleet/registration-tokens.ts";
import { effectiveStatuses } from "../../domain/fleet/services.ts";
import { commandDurationSamples, topCommandErrors } from "../../domain/limits.ts";
import { sumOf, withZeros } from "../../domain/metrics.ts";
import { rolloutStates } from "../../domain/rollouts/rollouts.ts";
import { scheduleStates } from "../../domain/schedules/schedules.ts";
import { countAuditEvents } from "../../store/audit/filters.ts";
import { countApprovals } from "../../store/tables/approvals/approvals.ts";
import { readCounters } from "../../store/tables/counters.ts";
import {
  countAgents,
  countCommands,
  countRegistrationTokens,
  countRollouts,
  countSchedules,
  countServices,
  countSilentAgents,
  countUsers,
  latestDurations,
  listTopCommandErrors,
} from "../../store/tables/metrics.ts";
import { bulkReader, type Core, type Ctx } from "../context.ts";
import { type CounterName, counterNames } from "../presence/counters.ts";
import { isPaused, readPause } from "../schedules/pausing.ts";
import { workspaceOf } from "./settings.ts";

export type Metrics = Awaited<ReturnType<typeof getMetrics>>;

/** The cost does not grow with the number of commands and audit events. */
export async function getMetrics(ctx: Ctx) {
  const { core } = ctx;
  const workspace = await workspaceOf(core);
  const read = bulkReader(ctx);
  const now = core.now();
  const silentSince = silentBefore(core.statusClock.now(), core.settings.thresholds);
  const byStatus = {
    agents: withZeros(agentStatuses, await countAgents(read)),
    capsuleServices: withZeros(effectiveStatuses, await countServices(read)),
    registrationTokens: withZeros(
      registrationTokenStatuses,
      await countRegistrationTokens(read, now),
    ),
    commands: withZeros(commandStatuses, await countCommands(read)),
    rollouts: withZeros(rolloutStates, await countRollouts(read)),
    schedules: withZeros(scheduleStates, await countSchedules(read)),
    approvals: withZeros(approvalStates, await countApprovals(read)),
  };
  const { operational, bus, approvals } = partsOf(await countersNow(core));
  return {
    operational: {
      ...operational,
      schedulesPaused: isPaused(await readPause(read)) ? 1 : 0,
      staleOnlineAgents: await countSilentAgents(read, silentSince),
    },
    bus,
    approvals,
    commandDurations: await latestDurations(read, commandDurationSamples),
    topCommandErrors: await listTopCommandErrors(read, topCommandErrors),
    byStatus,
    totals: {
      users: await countUsers(read),
      agents: sumOf(byStatus.agents),
      capsuleServices: sumOf(byStatus.capsuleServices),
      registrationTokens: sumOf(byStatus.registrationTokens),
      commands: sumOf(byStatus.commands),
      auditEvents: await countAuditEvents(read),
    },
    workspace,
  };
}

/**
 * Adds the counts in memory to the stored ones. If a flush ends between the two reads, its counts
 * are included twice.
 */
async function countersNow(core: Core): Promise<Record<CounterName, number>> {
  const unwritten = core.counters.unwritten();
  const stored = await readCounters(core.db.read);
  const counted = counterNames.map((name) => [name, (stored[name] ?? 0) + unwritten[name]]);
  return Object.fromEntries(counted) as Record<CounterName, number>;
}

function partsOf(counters: Record<CounterName, number>) {
  const {
    busEventsReceived: eventsReceived,
    busEventsDuplicate: eventsDuplicate,
    busEventsRejected: eventsRejected,
    busEventsRateLimited: eventsRateLimited,
    busCommandsCreated: commandsCreated,
    busRoutesFailed: routesFailed,
    approvalsRequested: requested,
    approvalsApproved: approved,
    approvalsRejected: rejected,
    approvalsExpired: expired,
    approvalsBypassed: bypassed,
    ...operational
  } = counters;
  const events = { eventsReceived, eventsDuplicate, eventsRejected, eventsRateLimited };
  return {
    operational,
    bus: { ...events, commandsCreated, routesFailed },
    approvals: { requested, approved, rejected, expired, bypassed },
  };
}
