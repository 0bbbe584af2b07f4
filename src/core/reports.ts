// An agent reports its services. What changed is written and audited; an unchanged report only moves
// times forward, in memory. (`service.md` "Reported service"; `decisions.md` 2 "services")

import { hash } from "node:crypto";
import { classifyHealth, statusOfHealth } from "../domain/effective-status.ts";
import { validationFailed } from "../domain/errors.ts";
import type { AgentPrincipal } from "../domain/principals.ts";
import { redact, redactConfig, redactOwnTokens, redactText } from "../domain/redaction.ts";
import type { ReportedService, Service } from "../domain/services.ts";
import { jsonEqual } from "../lib/json-equal.ts";
import type { Tx } from "../store/database.ts";
import { listActions, replaceActions } from "../store/service-actions.ts";
import {
  findServiceByCode,
  insertService,
  type ServiceState,
  touchService,
  updateService,
} from "../store/services.ts";
import { audit } from "./audit-trail.ts";
import type { Ctx } from "./context.ts";
import { recheckAgent } from "./credentials.ts";
import type { ReportedStatus } from "./report-cache.ts";

/**
 * Takes a report of an agent and answers id and status of each service in it. Services of the agent
 * that are absent are kept. Throws VALIDATION_FAILED when a code stands there twice.
 */
export async function takeReport(ctx: Ctx, agent: AgentPrincipal, services: ReportedService[]) {
  const { core } = ctx;
  const now = core.now();
  core.db.checkForeignChange();
  const fingerprint = hash("sha1", JSON.stringify(services), "base64");
  const remembered = core.reportCache.find(agent.agentId, fingerprint);
  if (remembered) {
    core.presence.reported(remembered.serviceIds, now);
    return { services: remembered.services };
  }
  let generation = 0;
  const stored = await core.db.write(async (tx) => {
    await recheckAgent(tx, agent);
    generation = core.reportCache.generation;
    return storeReport(ctx, tx, agent.agentId, services);
  });
  core.reportCache.remember(agent.agentId, fingerprint, stored, generation);
  return { services: stored };
}

/** The part of a report, or of a registration, that is one transaction. */
export async function storeReport(
  ctx: Ctx,
  tx: Tx,
  agentId: string,
  services: ReportedService[],
): Promise<ReportedStatus[]> {
  refuseTwins(services);
  const statuses: ReportedStatus[] = [];
  for (const reported of services) {
    statuses.push(await storeService(ctx, tx, agentId, redactService(reported)));
  }
  return statuses;
}

async function storeService(
  ctx: Ctx,
  tx: Tx,
  agentId: string,
  reported: ReportedService,
): Promise<ReportedStatus> {
  const before = await findServiceByCode(tx, reported.code);
  const state = stateOf(reported, before, agentId, ctx.core.newId, tx.now);
  const status = state.storedStatus;
  const answer = { id: state.id, code: state.code, status, storedStatus: status };
  if (!before) {
    await insertService(tx, state);
    await replaceActions(tx, state.id, reported.actions);
    await auditService(ctx, tx, state, "service.reported", { version: state.version });
    return answer;
  }
  const actionsBefore = await listActions(tx, state.id);
  const actionsChanged = !jsonEqual(actionsBefore, reported.actions);
  const catalogChanged = actionsChanged || catalogDiffers(before, state);
  if (!catalogChanged && !healthDiffers(before, state)) {
    await touchService(tx, state.id, tx.now);
    if (before.storedStatus !== status) ctx.core.feed.noteService(tx, state.id);
    return answer;
  }
  if (!catalogChanged) state.updatedAt = before.updatedAt;
  await updateService(tx, state);
  if (actionsChanged) await replaceActions(tx, state.id, reported.actions);
  await auditChanges(ctx, tx, before, state, actionsChanged);
  ctx.core.feed.noteService(tx, state.id);
  return answer;
}

async function auditChanges(
  ctx: Ctx,
  tx: Tx,
  before: Service,
  after: ServiceState,
  actionsChanged: boolean,
): Promise<void> {
  if (before.agentId !== after.agentId) {
    await auditService(ctx, tx, after, "service.moved", {
      fromAgentId: before.agentId,
      toAgentId: after.agentId,
    });
    tx.afterCommit(() => ctx.core.reportCache.forgetAgent(before.agentId));
  }
  if (before.version !== after.version) {
    await auditService(ctx, tx, after, "service.version.changed", {
      from: before.version,
      to: after.version,
    });
  }
  if (!jsonEqual(before.configs, after.configs)) {
    await auditService(ctx, tx, after, "service.config.changed", {
      keys: after.configs.map((config) => config.key),
    });
  }
  if (actionsChanged) await auditService(ctx, tx, after, "service.actions.changed", {});
  if (before.healthStatus !== after.healthStatus) {
    await auditService(ctx, tx, after, "service.health.changed", {
      from: before.healthStatus,
      to: after.healthStatus,
    });
  }
}

function auditService(
  ctx: Ctx,
  tx: Tx,
  service: ServiceState,
  action: Parameters<typeof audit>[2]["action"],
  metadata: Record<string, unknown>,
): Promise<void> {
  return audit(ctx, tx, {
    action,
    targetType: "service",
    targetId: service.id,
    metadata: { code: service.code, ...metadata },
  });
}

function stateOf(
  reported: ReportedService,
  before: Service | null,
  agentId: string,
  newId: (prefix: string) => string,
  now: number,
): ServiceState {
  const healthClass = classifyHealth(reported.healthStatus);
  const sameHealth = before?.healthStatus === reported.healthStatus;
  return {
    id: before?.id ?? newId("svc"),
    code: reported.code,
    agentId,
    name: reported.name,
    version: reported.version,
    description: reported.description ?? null,
    runtime: reported.runtime ?? null,
    healthStatus: reported.healthStatus,
    healthClass,
    healthMessage: reported.healthMessage ?? null,
    healthDetails: reported.healthDetails ?? null,
    healthChangedAt: sameHealth ? before.healthChangedAt : now,
    storedStatus: statusOfHealth(healthClass),
    manifest: reported.manifest ?? null,
    configs: reported.configs,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    lastReportedAt: now,
  };
}

/** Whether anything but health and times is different. */
function catalogDiffers(before: Service, after: ServiceState): boolean {
  const catalog = (service: Service | ServiceState) => [
    service.agentId,
    service.name,
    service.version,
    service.description,
    service.runtime,
    service.manifest,
    service.configs,
  ];
  return !jsonEqual(catalog(before), catalog(after));
}

function healthDiffers(before: Service, after: ServiceState): boolean {
  return (
    before.healthStatus !== after.healthStatus ||
    before.healthMessage !== after.healthMessage ||
    !jsonEqual(before.healthDetails, after.healthDetails)
  );
}

/** The action catalog is a form, not data: only our own tokens are cut from it. */
function redactService(service: ReportedService): ReportedService {
  return {
    ...service,
    name: redactText(service.name),
    version: redactText(service.version),
    description: service.description && redactText(service.description),
    runtime: redact(service.runtime),
    healthMessage: service.healthMessage && redactText(service.healthMessage),
    healthDetails: redact(service.healthDetails),
    manifest: redact(service.manifest),
    configs: service.configs.map(redactConfig),
    actions: redactOwnTokens(service.actions),
  };
}

function refuseTwins(services: ReportedService[]): void {
  const seen = new Set<string>();
  for (const [index, { code }] of services.entries()) {
    if (seen.has(code)) {
      throw validationFailed([{ path: `services.${index}.code`, message: `${code} stands twice` }]);
    }
    seen.add(code);
  }
}
