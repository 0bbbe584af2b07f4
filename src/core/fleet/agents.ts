// Agents as operators see and manage them.

import {
  type Agent,
  offlineReasonOf,
  silentBefore,
  statusWhenEnabled,
} from "../../domain/agents.ts";
import { found } from "../../domain/errors.ts";
import { labelsOfAgent, sourcesOfAgent } from "../../domain/labels.ts";
import { isoTime, isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findActiveToken, revokeAgentTokens } from "../../store/tables/agent-tokens.ts";
import {
  type AgentFilter,
  clampHeartbeats,
  findAgent,
  listSilentAgents,
  listAgents as listStoredAgents,
  setAgentStatus,
  touchAgents,
} from "../../store/tables/agents.ts";
import { beginPeriods, findOpenPeriods } from "../../store/tables/service-periods.ts";
import {
  type AgedService,
  listAgedServices,
  storeAged,
} from "../../store/tables/service-statuses.ts";
import { countServicesOf, listAgentServices } from "../../store/tables/services.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, readAside, systemContext } from "../context.ts";
import { noteChange } from "../news/changes.ts";
import { flushPresence } from "../presence/flush.ts";
import { inBatches, inSlices, inTransactions } from "../slices.ts";
import { claimsOfAgent } from "./service-claims.ts";
import { sinceOf, statusNow } from "./services.ts";

export async function listAgents(ctx: Ctx, filter: AgentFilter) {
  const db = readAside(ctx);
  const { items, total } = await listStoredAgents(db, filter);
  const counts = await countServicesOf(
    db,
    items.map(({ id }) => id),
  );
  const listed = items.map((agent) => {
    return { ...toAgentSummary(agent), serviceCount: counts.get(agent.id) ?? 0 };
  });
  return { items: listed, total };
}

export async function getAgent(ctx: Ctx, id: string) {
  const { core } = ctx;
  const agent = await requireAgent(core.db.read, id);
  const token = await findActiveToken(core.db.read, id);
  const services = await listAgentServices(core.db.read, id);
  const periods = await findOpenPeriods(
    core.db.read,
    services.map((service) => service.id),
  );
  const now = core.statusClock.now();
  return {
    ...toAgentSummary(agent),
    labelSources: sourcesOfAgent(agent),
    serviceCount: services.length,
    disabledAt: isoTimeOrNull(agent.disabledAt),
    token: token && { id: token.id, createdAt: isoTime(token.createdAt) },
    services: services.map((service) => {
      const { id: serviceId, code, name, version } = service;
      const status = statusNow(core, service, now);
      const statusSince = sinceOf(status, periods.get(serviceId));
      return { id: serviceId, code, name, version, status, statusSince };
    }),
    refusedServices: await claimsOfAgent(core, id),
  };
}

/** The agent's calls are refused, and its long poll ends. */
export async function disableAgent(ctx: Ctx, id: string) {
  return changeAgent(ctx, id, async (tx, agent) => {
    if (agent.status === "DISABLED") return;
    await setAgentStatus(tx, id, "DISABLED", tx.now);
    await auditAgent(ctx, tx, agent, "agent.disabled");
  });
}

export async function enableAgent(ctx: Ctx, id: string) {
  const { statusClock, settings } = ctx.core;
  return changeAgent(ctx, id, async (tx, agent) => {
    if (agent.status !== "DISABLED") return;
    const status = statusWhenEnabled(agent, statusClock.now(), settings.thresholds);
    await setAgentStatus(tx, id, status, null);
    await auditAgent(ctx, tx, agent, "agent.enabled");
  });
}

/** The agent is OFFLINE until it registers again. */
export async function revokeAgentToken(ctx: Ctx, id: string) {
  return changeAgent(ctx, id, async (tx, agent) => {
    if ((await revokeAgentTokens(tx, id, "REVOKED")) === 0) return;
    if (agent.status === "ONLINE") await setAgentStatus(tx, id, "OFFLINE", null);
    await auditAgent(ctx, tx, agent, "agent.token.revoked");
  });
}

async function changeAgent(ctx: Ctx, id: string, change: (tx: Tx, agent: Agent) => Promise<void>) {
  const { core } = ctx;
  await core.db.write(async (tx) => {
    await change(tx, await requireAgent(tx, id));
    noteChange(core, tx, "agent", id);
  });
  return getAgent(ctx, id);
}

const agentsAtOnce = 50;
const servicesAtOnce = 400;

/**
 * Also corrects times in the future, which remain after a clock was set back. If the service stops
 * in between, the next sweep finds and does the rest.
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
  const next = (tx: Tx, limit: number) => listSilentAgents(tx, before(), limit);
  await inSlices(core, Infinity, next, async (tx, { id, code }) => {
    const calledAt = core.presence.agents.get(id);
    // The agent has called since the flush. Its time is stored so that it is not listed again.
    if (calledAt !== undefined && calledAt >= before()) return touchAgents(tx, [[id, calledAt]]);
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
      if (isStale || service.lastReportedAt > tx.now) await storeAged(tx, service);
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

function auditAgent(
  ctx: Ctx,
  tx: Tx,
  agent: { id: string; code: string },
  action: "agent.disabled" | "agent.enabled" | "agent.token.revoked" | "agent.offline",
): Promise<void> {
  return audit(ctx, tx, { action, targetId: agent.id, metadata: { code: agent.code } });
}

export function toAgentSummary(agent: Agent) {
  const { id, code, name, mode, runtime, version, features, status, tokenState } = agent;
  return {
    id,
    code,
    name,
    mode,
    runtime,
    version,
    features,
    status,
    tokenState,
    labels: labelsOfAgent(agent),
    offlineReason: offlineReasonOf({ ...agent, hasStopped: agent.stoppedAt !== null }),
    ...isoTimes(agent, "lastHeartbeatAt", "registeredAt", "updatedAt"),
  };
}

export async function requireAgent(db: Reader, id: string): Promise<Agent> {
  return found(await findAgent(db, id), "AGENT_NOT_FOUND", `agent ${id}`);
}
