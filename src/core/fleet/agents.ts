// Agents as operators see and manage them.

import { found } from "../../domain/errors.ts";
import { isDuplicated } from "../../domain/fleet/agent-instances.ts";
import { type Agent, offlineReasonOf, statusWhenEnabled } from "../../domain/fleet/agents.ts";
import { labelsOfAgent, sourcesOfAgent } from "../../domain/fleet/labels.ts";
import { isoTime, isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findActiveToken, revokeAgentTokens } from "../../store/tables/access/agent-tokens.ts";
import { findAgentInstances } from "../../store/tables/fleet/agent-instances.ts";
import {
  type AgentFilter,
  findAgent,
  listAgents as listStoredAgents,
  setAgentStatus,
} from "../../store/tables/fleet/agents.ts";
import { findOpenPeriods } from "../../store/tables/fleet/service-history.ts";
import { countServicesOf, listAgentServices } from "../../store/tables/fleet/services.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import { bulkReader, type Core, type Ctx } from "../context.ts";
import { claimsOfAgent } from "./service-claims.ts";
import { sinceOf, statusNow } from "./services.ts";

export async function listAgents(ctx: Ctx, filter: AgentFilter) {
  const db = bulkReader(ctx);
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
      const removedAt = isoTimeOrNull(service.removedAt);
      return { id: serviceId, code, name, version, status, statusSince, removedAt };
    }),
    refusedServices: await claimsOfAgent(core, id),
    duplicatedAt: await duplicatedAt(core, id),
  };
}

async function duplicatedAt({ db, now }: Core, id: string) {
  const at = (await findAgentInstances(db.read, id))?.duplicatedAt ?? null;
  return isoTimeOrNull(isDuplicated(at, now()) ? at : null);
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

export function auditAgent(
  ctx: Ctx,
  tx: Tx,
  agent: { id: string; code: string },
  action: "agent.disabled" | "agent.enabled" | "agent.token.revoked" | "agent.offline",
): Promise<void> {
  return audit(ctx, tx, { action, targetId: agent.id, metadata: { code: agent.code } });
}

export function toAgentSummary(agent: Agent) {
  const { id, code, name, mode, runtime, version, features, status, tokenState } = agent;
  const { clockSkewMs } = agent;
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
    clockSkewMs,
    labels: labelsOfAgent(agent),
    offlineReason: offlineReasonOf({ ...agent, hasStopped: agent.stoppedAt !== null }),
    ...isoTimes(agent, "lastHeartbeatAt", "registeredAt", "updatedAt"),
  };
}

export async function requireAgent(db: Reader, id: string): Promise<Agent> {
  return found(await findAgent(db, id), "AGENT_NOT_FOUND", `agent ${id}`);
}
