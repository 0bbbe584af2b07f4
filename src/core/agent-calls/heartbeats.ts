// Heartbeats are a hot path: a heartbeat without changes only updates memory.

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { validationFailed } from "../../domain/errors.ts";
import { isDuplicated } from "../../domain/fleet/agent-instances.ts";
import { type Agent, knownFeatures } from "../../domain/fleet/agents.ts";
import { classifyHealth, statusOfReport } from "../../domain/fleet/effective-status.ts";
import type { RefusedService } from "../../domain/fleet/service-claims.ts";
import type { Service } from "../../domain/fleet/services.ts";
import { redact, redactText } from "../../domain/secrets/redaction.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { describeAgent, findAgent } from "../../store/tables/fleet/agents.ts";
import { beginPeriods } from "../../store/tables/fleet/service-history.ts";
import { findServiceByCode, updateServiceHealth } from "../../store/tables/fleet/services.ts";
import { recheckAgent } from "../access/credentials.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { noteChange } from "../changes/changes.ts";
import { noteInstance } from "../commands/agent-instances.ts";
import { commandsToStop } from "../commands/delivery.ts";
import type { Core, Ctx } from "../context.ts";
import { noteHealthChange } from "../fleet/health-changes.ts";
import { noteRefusals } from "../fleet/service-claims.ts";
import type { Body } from "../handlers.ts";
import { refuseDuplicates, rejectedOf } from "./reports.ts";

type Heartbeat = Body<typeof agentEndpoints, "agent.heartbeat">;
type Described = NonNullable<Heartbeat["agent"]>;
type HealthNews = NonNullable<Heartbeat["health"]>[number];

/** `clockSkewMs` is positive if the agent's clock is ahead. Throws VALIDATION_FAILED. */
export function beat(ctx: Ctx, agent: AgentPrincipal, heartbeat: Heartbeat) {
  const { core } = ctx;
  const { agent: description, health = [], instance } = heartbeat;
  const noted = noteInstance(ctx, agent, instance);
  if (noted !== undefined || description || health.length > 0) {
    return beatWithNews(ctx, agent, heartbeat, noted);
  }
  const cancelled = commandsToStop(core, agent.agentId);
  if (!(cancelled instanceof Promise)) return answerTo(core, agent, heartbeat, cancelled);
  return cancelled.then((ids) => answerTo(core, agent, heartbeat, ids));
}

async function beatWithNews(
  ctx: Ctx,
  agent: AgentPrincipal,
  heartbeat: Heartbeat,
  noted: Promise<void> | undefined,
) {
  const { core } = ctx;
  const { agent: description, health = [] } = heartbeat;
  await noted?.catch((error: unknown) => {
    // Heartbeats do not depend on the storage: if it fails, the next call notes the instance.
    if (!core.storage.recordFailure(core, error)) throw error;
  });
  if (description) await noteDescription(ctx, agent, description);
  const refused = health.length > 0 ? await noteHealth(ctx, agent, health) : [];
  const cancelled = await commandsToStop(core, agent.agentId);
  return { ...answerTo(core, agent, heartbeat, cancelled), ...rejectedOf(refused) };
}

function answerTo(
  core: Core,
  { agentId }: AgentPrincipal,
  { timestamp }: Heartbeat,
  cancelled: readonly string[],
) {
  const now = core.now();
  const known = core.instances.get(agentId);
  const clockSkewMs = timestamp === undefined ? null : Date.parse(timestamp) - now;
  // The next flush stores the skew with the time of the call.
  if (clockSkewMs !== null) core.presence.clockSkews.set(agentId, clockSkewMs);
  return {
    serverTime: isoTime(now),
    clockSkewMs,
    heartbeatIntervalSeconds: core.settings.agentHeartbeatIntervalSeconds,
    reportIntervalSeconds: core.settings.agentReportIntervalSeconds,
    cancelled: [...cancelled],
    // Left out if this node does not know the agent's programs, because false would mean "no".
    ...(known ? { duplicated: isDuplicated(known.duplicatedAt, now) } : {}),
  };
}

async function noteDescription(ctx: Ctx, agent: AgentPrincipal, described: Described) {
  const { db } = ctx.core;
  const { agentId } = agent;
  const features = described.features && knownFeatures(described.features);
  const given = Object.fromEntries(
    Object.entries({ ...redact(described), features }).filter(([, value]) => value !== undefined),
  );
  const changedIn = (stored: Agent) =>
    Object.keys(given).filter((field) => !jsonEqual(stored[field as keyof Agent], given[field]));
  const before = await findAgent(db.read, agentId);
  if (!before || changedIn(before).length === 0) return;
  await db.write(async (tx) => {
    await recheckAgent(tx, agent);
    const stored = await findAgent(tx, agentId);
    const changed = stored ? changedIn(stored) : [];
    if (!stored || changed.length === 0) return;
    await describeAgent(tx, { ...stored, ...given });
    const metadata = { code: stored.code, changed };
    await auditRepeated(ctx, tx, { action: "agent.updated", targetId: agentId, metadata });
  });
}

async function noteHealth(ctx: Ctx, agent: AgentPrincipal, news: HealthNews[]) {
  const { db } = ctx.core;
  refuseDuplicates(
    news.map(({ serviceCode }) => serviceCode),
    (index) => `health.${index}.serviceCode`,
  );
  const seen = await sortNews(db.read, agent, news);
  const storeChanged = async (tx: Tx) => {
    await recheckAgent(tx, agent);
    const found = await sortNews(tx, agent, news);
    for (const { service, health } of found.changed) await storeHealth(ctx, tx, service, health);
    noteChange(ctx.core, tx, "report", agent.agentId);
    return found;
  };
  const { foreign } = seen.changed.length === 0 ? seen : await db.write(storeChanged);
  const refused = foreign.map(refusedHealth);
  await noteRefusals(ctx, agent, refused);
  return refused;
}

/** Only a report can take a service over, so health for another agent's service is refused. */
function refusedHealth({ id, code, agentCode }: Service): RefusedService {
  return { serviceId: id, rejected: { code, reason: "SERVICE_CODE_TAKEN", agentCode } };
}

interface NewHealth {
  healthStatus: string;
  /** Redacted; null if the agent sent none. */
  message: string | null;
}

async function sortNews(db: Reader, agent: AgentPrincipal, news: HealthNews[]) {
  const changed: { service: Service; health: NewHealth }[] = [];
  const foreign: Service[] = [];
  for (const [index, item] of news.entries()) {
    const service = await findServiceByCode(db, item.serviceCode);
    if (!service) {
      const message = `${item.serviceCode} is not a service that this agent has reported`;
      throw validationFailed([{ path: `health.${index}.serviceCode`, message }]);
    }
    if (service.agentId !== agent.agentId) {
      foreign.push(service);
      continue;
    }
    const { healthStatus } = item;
    const message = item.message === undefined ? null : redactText(item.message);
    const same = service.healthStatus === healthStatus && service.healthMessage === message;
    if (!same) changed.push({ service, health: { healthStatus, message } });
  }
  return { changed, foreign };
}

async function storeHealth(
  ctx: Ctx,
  tx: Tx,
  service: Service,
  { healthStatus, message: healthMessage }: NewHealth,
): Promise<void> {
  const healthClass = classifyHealth(healthStatus);
  const sameHealth = service.healthStatus === healthStatus;
  const { presence, settings, statusClock } = ctx.core;
  const lastReportedAt = presence.services.get(service.id) ?? service.lastReportedAt;
  const reported = { lastReportedAt, healthStatus };
  const status = statusOfReport(reported, statusClock.now(), settings.thresholds);
  await updateServiceHealth(tx, service.id, {
    healthStatus,
    healthClass,
    healthMessage,
    healthChangedAt: sameHealth ? service.healthChangedAt : tx.now,
    storedStatus: status,
  });
  if (service.storedStatus !== status) await beginPeriods(tx, [{ id: service.id, status }]);
  noteChange(ctx.core, tx, "service", service.id);
  if (healthClass !== classifyHealth(service.healthStatus)) await noteHealthChange(tx, service.id);
  if (sameHealth) return;
  const { id: targetId, code, healthStatus: from } = service;
  const metadata = { code, from, to: healthStatus };
  await auditRepeated(ctx, tx, { action: "service.health.changed", targetId, metadata }, code);
}
