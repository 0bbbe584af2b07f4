// Agents report their services. An unchanged report only updates times in memory.

import { hash } from "node:crypto";
import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import {
  type AgentFeature,
  codeLikeId,
  knownFeatures,
  looksLikeId,
  offlineReasonOf,
} from "../../domain/fleet/agents.ts";
import { classifyHealth, statusOfHealth } from "../../domain/fleet/effective-status.ts";
import type { RefusedService } from "../../domain/fleet/service-claims.ts";
import type { ReportedService, Service } from "../../domain/fleet/services.ts";
import {
  redact,
  redactConfig,
  redactOwnTokens,
  redactText,
} from "../../domain/secrets/redaction.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Tx } from "../../store/database.ts";
import { serviceLabelIndex } from "../../store/label-index.ts";
import { setAgentFeatures } from "../../store/tables/fleet/agents.ts";
import { listActions, replaceActions } from "../../store/tables/fleet/service-actions.ts";
import { beginPeriods } from "../../store/tables/fleet/service-history.ts";
import { touchServices } from "../../store/tables/fleet/service-statuses.ts";
import {
  findServiceByCode,
  insertService,
  listManagedServices,
  markRemoved,
  type ServiceState,
  updateService,
} from "../../store/tables/fleet/services.ts";
import { recheckAgent } from "../access/credentials.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { audit } from "../audit/trail.ts";
import { noteChange, noteForOthers } from "../changes/changes.ts";
import type { Ctx } from "../context.ts";
import { noteHealthChange } from "../fleet/health-changes.ts";
import {
  claimJudge,
  isStillRefused,
  noteRefusals,
  ownerOf,
  storeRefusals,
} from "../fleet/service-claims.ts";
import { auditMove } from "../fleet/service-moves.ts";
import type { Body, LazyBody } from "../handlers.ts";
import type { RememberedReport, ReportedStatus, TakenReport } from "../presence/report-cache.ts";

type Report = Body<typeof agentEndpoints, "agent.report">;

/**
 * Services that are missing from the report are kept, and marked as removed if the report is
 * complete. A body that equals the body of the agent's last report is not parsed. Throws
 * INVALID_JSON, VALIDATION_FAILED or FORBIDDEN.
 */
export async function takeReport(ctx: Ctx, agent: AgentPrincipal, body: LazyBody<Report>) {
  const { core } = ctx;
  core.db.checkForeignChange();
  const { fingerprint: bodyFingerprint } = body;
  const last = core.reportCache.get(agent.agentId);
  const isSameBody = bodyFingerprint !== null && bodyFingerprint === last?.bodyFingerprint;
  if (last && isSameBody && (await isStillRefused(core, agent.agentId, last.refused))) {
    return repeatReport(ctx, agent, last);
  }
  const report = body.parse();
  const services = servicesOf(agent, report);
  const features = knownFeatures(report.features ?? []);
  const { complete = false } = report;
  const fingerprint = hash("sha1", JSON.stringify([features, complete, services]), "base64");
  if (
    last?.fingerprint === fingerprint &&
    (await isStillRefused(core, agent.agentId, last.refused))
  ) {
    last.bodyFingerprint = bodyFingerprint;
    return repeatReport(ctx, agent, last);
  }
  let generation = 0;
  const taken = await core.db.write(async (tx) => {
    const { agentFeatures } = await recheckAgent(tx, agent);
    generation = core.reportCache.generation;
    // Only other processes forget the agent's last report: this one remembers the new report below.
    noteForOthers(tx, "report", agent.agentId);
    if (!jsonEqual(agentFeatures, features)) await storeFeatures(ctx, tx, agent, features);
    const stored = await storeReport(ctx, tx, agent, services);
    if (complete) await storeRemovals(ctx, tx, agent, services);
    return stored;
  });
  const serviceIds = taken.services.map(({ id }) => id);
  const stored = { ...taken, bodyFingerprint, fingerprint, serviceIds };
  core.reportCache.set(agent.agentId, stored, generation);
  return replyOf(taken);
}

function servicesOf(agent: AgentPrincipal, { agentId, services }: Report): ReportedService[] {
  if (agentId === undefined || agentId === agent.agentId) return services;
  throw new AppError(
    "FORBIDDEN",
    "The agentId in the body does not match the agent of this token.",
  );
}

/** A different version of the agent's program can have other features. */
async function storeFeatures(ctx: Ctx, tx: Tx, agent: AgentPrincipal, features: AgentFeature[]) {
  const { agentId, agentCode } = agent;
  await setAgentFeatures(tx, agentId, features);
  const metadata = { code: agentCode, changed: ["features"] };
  await auditRepeated(ctx, tx, { action: "agent.updated", targetId: agentId, metadata });
}

async function repeatReport(ctx: Ctx, agent: AgentPrincipal, report: RememberedReport) {
  const { core } = ctx;
  const now = core.now();
  for (const id of report.serviceIds) core.presence.services.add(id, now);
  if (report.refused.length > 0) await noteRefusals(ctx, agent, report.refused);
  return replyOf(report);
}

function replyOf({ services, refused }: TakenReport) {
  return { services, ...rejectedOf(refused) };
}

export function rejectedOf(refused: RefusedService[]) {
  return refused.length === 0 ? {} : { rejected: refused.map(({ rejected }) => rejected) };
}

export async function storeReport(
  ctx: Ctx,
  tx: Tx,
  agent: AgentPrincipal,
  services: ReportedService[],
): Promise<TakenReport> {
  refuseDuplicates(
    services.map(({ code }) => code),
    (index) => `services.${index}.code`,
  );
  const judge = claimJudge(ctx.core, tx, agent.agentId);
  const taken: TakenReport = { services: [], refused: [] };
  const stored = await Promise.all(services.map(({ code }) => findServiceByCode(tx, code)));
  for (const [index, reported] of services.entries()) {
    const before = stored[index] ?? null;
    if (before === null && looksLikeId(reported.code)) {
      throw validationFailed([{ path: `services.${index}.code`, message: codeLikeId }]);
    }
    const rejected = await judge(reported.code, before && ownerOf(before));
    if (rejected === null) {
      taken.services.push(await storeService(ctx, tx, agent, before, redactService(reported)));
    } else {
      taken.refused.push({ serviceId: before?.id ?? null, rejected });
    }
  }
  await storeRefusals(ctx, tx, agent, taken.refused);
  return taken;
}

/**
 * Marks the services that a complete report does not contain as removed. Their actions are deleted,
 * because the agent would refuse them.
 */
async function storeRemovals(
  ctx: Ctx,
  tx: Tx,
  { agentId }: AgentPrincipal,
  reported: readonly ReportedService[],
): Promise<void> {
  const codes = new Set(reported.map(({ code }) => code));
  for (const { id, code } of await listManagedServices(tx, agentId)) {
    if (codes.has(code)) continue;
    await markRemoved(tx, id);
    await replaceActions(tx, id, []);
    await auditRepeated(
      ctx,
      tx,
      { action: "service.removed", targetId: id, metadata: { code } },
      code,
    );
    noteChange(ctx.core, tx, "service", id);
  }
}

async function storeService(
  ctx: Ctx,
  tx: Tx,
  agent: AgentPrincipal,
  before: Service | null,
  reported: ReportedService,
): Promise<ReportedStatus> {
  const state = stateOf(ctx, tx, reported, before, agent.agentId);
  const status = state.storedStatus;
  const reply = { id: state.id, code: state.code, status, storedStatus: status };
  if (!before) {
    await insertService(tx, state);
    await beginPeriods(tx, [reply]);
    await serviceLabelIndex.add(tx, state);
    await replaceActions(tx, state.id, reported.actions);
    const metadata = { code: state.code, version: state.version };
    await audit(ctx, tx, { action: "service.reported", targetId: state.id, metadata });
    return reply;
  }
  const actionsBefore = await listActions(tx, state.id);
  const actionsChanged = !jsonEqual(actionsBefore, reported.actions);
  const catalogChanged = actionsChanged || differs(before, state, catalog);
  if (!catalogChanged && !differs(before, state, health)) {
    await touchServices(tx, [[state.id, tx.now]]);
    if (before.storedStatus === status) return reply;
    await beginPeriods(tx, [reply]);
    noteChange(ctx.core, tx, "service", state.id);
    return reply;
  }
  if (!catalogChanged) state.updatedAt = before.updatedAt;
  await updateService(tx, state);
  if (before.storedStatus !== status) await beginPeriods(tx, [reply]);
  if (!jsonEqual(before.labels, state.labels)) {
    await serviceLabelIndex.replace(tx, state, before.assignedLabels);
  }
  if (actionsChanged) await replaceActions(tx, state.id, reported.actions);
  if (before.agentId !== agent.agentId) await auditTakeover(ctx, tx, before, agent);
  if (state.healthClass !== classifyHealth(before.healthStatus)) {
    await noteHealthChange(tx, state.id);
  }
  await auditChanges(ctx, tx, before, state, actionsChanged);
  noteChange(ctx.core, tx, "service", state.id);
  return reply;
}

async function auditTakeover(ctx: Ctx, tx: Tx, before: Service, agent: AgentPrincipal) {
  const owner = { ...ownerOf(before), hasStopped: before.agentHasStopped };
  const reason = offlineReasonOf(owner) ?? "SILENT";
  await auditMove(ctx, tx, before, agent, { reason });
  noteChange(ctx.core, tx, "report", before.agentId);
}

async function auditChanges(
  ctx: Ctx,
  tx: Tx,
  before: Service,
  after: ServiceState,
  actionsChanged: boolean,
): Promise<void> {
  const { id, code } = after;
  type Change = "restored" | "updated" | `${"version" | "config" | "actions" | "health"}.changed`;
  const note = (change: Change, facts: object = {}) => {
    const action = `service.${change}` as const;
    return auditRepeated(ctx, tx, { action, targetId: id, metadata: { code, ...facts } }, code);
  };
  if (before.removedAt !== null && before.agentId === after.agentId) await note("restored");
  const changed = details.filter((field) => !jsonEqual(before[field], after[field]));
  if (changed.length > 0) await note("updated", { changed });
  if (before.version !== after.version) {
    await note("version.changed", { from: before.version, to: after.version });
  }
  if (!jsonEqual(before.configs, after.configs)) {
    await note("config.changed", { keys: after.configs.map(({ key }) => key) });
  }
  if (actionsChanged) await note("actions.changed");
  if (before.healthStatus !== after.healthStatus) {
    await note("health.changed", { from: before.healthStatus, to: after.healthStatus });
  }
}

function stateOf(
  { core }: Ctx,
  { now }: Tx,
  reported: ReportedService,
  before: Service | null,
  agentId: string,
): ServiceState {
  const healthClass = classifyHealth(reported.healthStatus);
  const sameHealth = before?.healthStatus === reported.healthStatus;
  return {
    id: before?.id ?? core.newId("svc"),
    code: reported.code,
    agentId,
    name: reported.name,
    version: reported.version,
    description: reported.description ?? null,
    runtime: reported.runtime ?? null,
    labels: reported.labels,
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
    removedAt: null,
    movedAt: null,
  };
}

const health = ["healthStatus", "healthMessage", "healthDetails"] as const;
const details = ["name", "description", "runtime", "labels", "manifest"] as const;
/** The stored fields other than health and times. */
const catalog = [...details, "agentId", "version", "configs", "removedAt", "movedAt"] as const;

function differs(
  before: Service,
  after: ServiceState,
  fields: readonly (keyof Service & keyof ServiceState)[],
): boolean {
  return fields.some((field) => !jsonEqual(before[field], after[field]));
}

/**
 * Only the platform's own tokens are removed from the actions: their schemas describe forms, whose
 * fields are often named like secrets.
 */
function redactService(service: ReportedService): ReportedService {
  return {
    ...service,
    name: redactText(service.name),
    version: redactText(service.version),
    description: service.description && redactText(service.description),
    runtime: redact(service.runtime),
    labels: redact(service.labels),
    healthMessage: service.healthMessage && redactText(service.healthMessage),
    healthDetails: redact(service.healthDetails),
    manifest: redact(service.manifest),
    configs: service.configs.map(redactConfig),
    actions: redactOwnTokens(service.actions),
  };
}

export function refuseDuplicates(codes: string[], pathOf: (index: number) => string): void {
  if (new Set(codes).size === codes.length) return;
  const index = codes.findIndex((code, at) => codes.indexOf(code) < at);
  const message = `${codes[index]} is a duplicate`;
  throw validationFailed([{ path: pathOf(index), message }]);
}
