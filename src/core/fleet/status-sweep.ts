// Stores the effects of silence: agents become OFFLINE, and the stored statuses of services follow
// the effective ones. (docs/decisions/0008-effective-status.md)

import { silentBefore } from "../../domain/fleet/agents.ts";
import type { Reader } from "../../store/database.ts";
import {
  clampHeartbeats,
  listSilentAgents,
  setAgentStatus,
  touchAgents,
} from "../../store/tables/fleet/agents.ts";
import { beginPeriods } from "../../store/tables/fleet/service-history.ts";
import {
  type AgedService,
  listAgedServices,
  storeAged,
} from "../../store/tables/fleet/service-statuses.ts";
import { noteChange } from "../changes/changes.ts";
import { type Core, systemContext } from "../context.ts";
import { flushPresence } from "../presence/flush.ts";
import { inBatches, inSlices, inTransactions } from "../short-transactions.ts";
import { auditAgent } from "./agents.ts";

const agentsAtOnce = 50;
const servicesAtOnce = 400;

/**
 * Also corrects times that are in the future because a clock was set back. If the server stops
 * meanwhile, the next sweep does the rest.
 */
export async function sweepSilentAgents(core: Core) {
  await flushPresence(core);
  const { offlineMs } = core.settings.thresholds;
  await inBatches(core, agentsAtOnce, (tx, limit) => clampHeartbeats(tx, offlineMs, limit));
  const agentsOffline = await markSilentAgents(core);
  return { agentsOffline, serviceStatusesStored: await storeStatuses(core) };
}

async function markSilentAgents(core: Core): Promise<number> {
  const ctx = systemContext(core);
  const before = () => silentBefore(core.statusClock.now(), core.settings.thresholds);
  let count = 0;
  const next = (db: Reader, limit: number) => listSilentAgents(db, before(), limit);
  await inSlices(core, Infinity, next, async (tx, { id, code }) => {
    const calledAt = core.presence.agents.get(id);
    // The agent has called since the flush. The time of the call is stored, so that the agent is
    // not listed again.
    if (calledAt !== undefined && calledAt >= before())
      return touchAgents(tx, [[id, calledAt, null]]);
    await setAgentStatus(tx, id, "OFFLINE", null);
    await auditAgent(ctx, tx, { id, code }, "agent.offline");
    tx.afterCommit(() => count++);
  });
  return count;
}

/** Stores the effective statuses of all services, and returns how many have changed. */
async function storeStatuses(core: Core): Promise<number> {
  const { statusClock, settings } = core;
  let after = "";
  return inTransactions(core, Infinity, async (tx, _, isOver) => {
    const now = statusClock.now();
    const page = await listAgedServices(tx, after, now, settings.thresholds, servicesAtOnce);
    let reached = after;
    const changed: AgedService[] = [];
    for (const service of page) {
      reached = service.id;
      const isStale = service.status !== service.stored;
      const latest = Math.max(service.lastReportedAt, service.healthChangedAt ?? 0);
      if (isStale || latest > tx.now) await storeAged(tx, service);
      if (!isStale) continue;
      noteChange(core, tx, "service", service.id);
      changed.push(service);
      if (isOver()) break;
    }
    await beginPeriods(tx, changed);
    const count = changed.length;
    if (count > 0) noteChange(core, tx, "reports");
    tx.afterCommit(() => {
      after = reached;
    });
    return { count, isLast: page.length === 0 };
  });
}
