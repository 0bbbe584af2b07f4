// An agent says it is alive, and how its services are. The hot path: without news it touches memory only.

import { isDeepStrictEqual } from "node:util";
import type { Agent } from "../../domain/agents.ts";
import { classifyHealth, statusOfHealth } from "../../domain/effective-status.ts";
import { validationFailed } from "../../domain/errors.ts";
import { redact, redactText } from "../../domain/payload/redaction.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import type { RefusedService } from "../../domain/service-claims.ts";
import type { Service } from "../../domain/services.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { type AgentDescription, describeAgent, findAgent } from "../../store/tables/agents.ts";
import { findServiceByCode, updateServiceHealth } from "../../store/tables/services.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import type { Core, Ctx } from "../context.ts";
import { noteRefusals } from "../fleet/service-claims.ts";
import { recheckAgent } from "../memory/credentials.ts";
import { commandsToStop } from "./cancellations.ts";
import { rejectedOf } from "./reports.ts";

export interface HealthNews {
  serviceCode: string;
  healthStatus: string;
  message?: string | undefined;
}

export interface Heartbeat {
  /** The agent's own clock, ISO 8601; only compared, never believed. */
  timestamp?: string | undefined;
  health?: HealthNews[] | undefined;
  /** What it says of itself; what is left out stays as it is. */
  agent?: Described | undefined;
}

type Described = { [Field in keyof AgentDescription]?: AgentDescription[Field] | undefined };

/**
 * Returns what this agent is to stop, the server's time, the agent's clock skew (milliseconds,
 * positive when the agent is ahead), and `rejected` when `health` names services that other agents
 * have. Throws VALIDATION_FAILED when it names one that nobody has reported.
 */
export function beat(ctx: Ctx, agent: AgentPrincipal, heartbeat: Heartbeat) {
  const { core } = ctx;
  const { agent: description, health = [] } = heartbeat;
  if (description || health.length > 0) return beatWithNews(ctx, agent, heartbeat);
  const cancelled = commandsToStop(core, agent.agentId);
  if (!(cancelled instanceof Promise)) return answerTo(core, heartbeat, cancelled);
  return cancelled.then((ids) => answerTo(core, heartbeat, ids));
}

async function beatWithNews(ctx: Ctx, agent: AgentPrincipal, heartbeat: Heartbeat) {
  const { core } = ctx;
  const { agent: description, health = [] } = heartbeat;
  if (description) await noteDescription(ctx, agent, description);
  const refused = health.length > 0 ? await noteHealth(ctx, agent, health) : [];
  const cancelled = await commandsToStop(core, agent.agentId);
  return { ...answerTo(core, heartbeat, cancelled), ...rejectedOf(refused) };
}

function answerTo(core: Core, { timestamp }: Heartbeat, cancelled: readonly string[]) {
  const now = core.now();
  return {
    serverTime: isoTime(now),
    clockSkewMs: timestamp === undefined ? null : Date.parse(timestamp) - now,
    heartbeatIntervalSeconds: core.settings.heartbeatIntervalSeconds,
    cancelled: [...cancelled],
  };
}

/** Written down and audited when something is different. */
async function noteDescription(
  ctx: Ctx,
  { agentId, ...principal }: AgentPrincipal,
  said: Described,
): Promise<void> {
  const { db } = ctx.core;
  const given = Object.fromEntries(
    Object.entries(redact(said)).filter(([, value]) => value !== undefined),
  );
  const changedIn = (agent: Agent) =>
    Object.keys(given).filter(
      (field) => !isDeepStrictEqual(agent[field as keyof Agent], given[field]),
    );
  const before = await findAgent(db.read, agentId);
  if (!before || changedIn(before).length === 0) return;
  await db.write(async (tx) => {
    await recheckAgent(tx, { agentId, ...principal });
    const agent = await findAgent(tx, agentId);
    const changed = agent ? changedIn(agent) : [];
    if (!agent || changed.length === 0) return;
    await describeAgent(tx, { ...agent, ...given });
    await auditRepeated(ctx, tx, {
      action: "agent.updated",
      targetType: "agent",
      targetId: agentId,
      metadata: { code: agent.code, changed },
    });
  });
}

async function noteHealth(
  ctx: Ctx,
  agent: AgentPrincipal,
  news: HealthNews[],
): Promise<RefusedService[]> {
  const { db } = ctx.core;
  refuseTwins(news);
  const seen = await sorted(db.read, agent, news);
  const storeChanged = async (tx: Tx) => {
    await recheckAgent(tx, agent);
    const found = await sorted(tx, agent, news);
    for (const { service, item } of found.changed) await storeHealth(ctx, tx, service, item);
    tx.afterCommit(() => ctx.core.reportCache.invalidate(agent.agentId));
    return found;
  };
  const { foreign } = seen.changed.length === 0 ? seen : await db.write(storeChanged);
  const refused = foreign.map(refusedHealth);
  await noteRefusals(ctx, agent, refused);
  return refused;
}

/** Health alone moves no service: that takes a report. */
function refusedHealth({ id, code, agentCode }: Service): RefusedService {
  return { serviceId: id, rejected: { code, reason: "SERVICE_CODE_TAKEN", agentCode } };
}

function refuseTwins(news: HealthNews[]): void {
  const seen = new Set<string>();
  for (const [index, { serviceCode }] of news.entries()) {
    if (seen.has(serviceCode)) {
      const path = `health.${index}.serviceCode`;
      throw validationFailed([{ path, message: `${serviceCode} stands twice` }]);
    }
    seen.add(serviceCode);
  }
}

/** What is new, and which services are another agent's. */
async function sorted(db: Reader, agent: AgentPrincipal, news: HealthNews[]) {
  const changed: { service: Service; item: HealthNews }[] = [];
  const foreign: Service[] = [];
  for (const [index, item] of news.entries()) {
    const service = await findServiceByCode(db, item.serviceCode);
    if (!service) {
      throw validationFailed([
        {
          path: `health.${index}.serviceCode`,
          message: `${item.serviceCode} is not a service that this agent has reported`,
        },
      ]);
    }
    if (service.agentId !== agent.agentId) {
      foreign.push(service);
      continue;
    }
    const message = item.message === undefined ? null : redactText(item.message);
    const same = service.healthStatus === item.healthStatus && service.healthMessage === message;
    if (!same) changed.push({ service, item });
  }
  return { changed, foreign };
}

async function storeHealth(ctx: Ctx, tx: Tx, service: Service, item: HealthNews): Promise<void> {
  const healthClass = classifyHealth(item.healthStatus);
  const sameHealth = service.healthStatus === item.healthStatus;
  await updateServiceHealth(tx, service.id, {
    healthStatus: item.healthStatus,
    healthClass,
    healthMessage: item.message === undefined ? null : redactText(item.message),
    healthChangedAt: sameHealth ? service.healthChangedAt : tx.now,
    storedStatus: statusOfHealth(healthClass),
  });
  ctx.core.feed.noteService(tx, service.id);
  if (sameHealth) return;
  const entry = {
    action: "service.health.changed",
    targetType: "service",
    targetId: service.id,
    metadata: { code: service.code, from: service.healthStatus, to: item.healthStatus },
  } as const;
  await auditRepeated(ctx, tx, entry, service.code);
}
