// Services with their effective status. (docs/decisions/0008-effective-status.md)

import { found } from "../../domain/errors.ts";
import { causeOfStatus, effectiveStatus } from "../../domain/fleet/effective-status.ts";
import { labelsOfService, sourcesOfService } from "../../domain/fleet/labels.ts";
import {
  type ActionEntry,
  type EffectiveStatus,
  type Service,
  sortActions,
} from "../../domain/fleet/services.ts";
import { isoTime, isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import { listActions } from "../../store/tables/fleet/service-actions.ts";
import { findOpenPeriod, type Period } from "../../store/tables/fleet/service-history.ts";
import type { StatusFacts } from "../../store/tables/fleet/service-statuses.ts";
import {
  findService,
  listServices as listStoredServices,
  type ServiceFilter,
} from "../../store/tables/fleet/services.ts";
import { bulkReader, type Core, type Ctx } from "../context.ts";
import { noteOfService } from "./attention.ts";
import { claimsOfService } from "./service-claims.ts";

export async function listServices(ctx: Ctx, filter: ServiceFilter) {
  const { settings } = ctx.core;
  const now = ctx.core.statusClock.now();
  const { items, total } = await listStoredServices(
    bulkReader(ctx),
    filter,
    now,
    settings.thresholds,
  );
  return { items: items.map((service) => toServiceSummary(ctx.core, service, now)), total };
}

export async function getService(ctx: Ctx, id: string) {
  const service = await requireService(ctx.core.db.read, id);
  const actions = await listActions(ctx.core.db.read, id);
  const { statusSince } = await statusOf(ctx.core, service);
  return {
    ...toServiceSummary(ctx.core, service, ctx.core.statusClock.now()),
    statusSince,
    runtime: service.runtime,
    healthDetails: service.healthDetails,
    manifest: service.manifest,
    configs: service.configs,
    actions: sortActions(actions).map(toActionView),
    labelSources: sourcesOfService(service),
    createdAt: isoTime(service.createdAt),
    claims: await claimsOfService(ctx.core, id),
    note: await noteOfService(ctx.core, id),
  };
}

export function statusNow(core: Core, service: StatusFacts, now: number): EffectiveStatus {
  return effectiveStatus(factsOf(service), now, core.settings.thresholds);
}

function factsOf({ agentLastHeartbeatAt, ...facts }: StatusFacts) {
  return { ...facts, lastHeartbeatAt: agentLastHeartbeatAt };
}

/** Returns the effective status, and since when the service has had it. */
export async function statusOf(core: Core, service: Service) {
  const status = statusNow(core, service, core.statusClock.now());
  return { status, statusSince: sinceOf(status, await findOpenPeriod(core.db.read, service.id)) };
}

/** Returns null if the stored status is outdated: the next sweep stores the change and its time. */
export function sinceOf(status: EffectiveStatus, period: Period | null | undefined) {
  return isoTimeOrNull(period?.status === status ? period.beganAt : null);
}

export function toActionView(action: ActionEntry) {
  const { category = null, order = null, timeoutSeconds = null } = action;
  return { ...action, category, order, timeoutSeconds };
}

export async function requireService(db: Reader, id: string): Promise<Service> {
  return found(await findService(db, id), "SERVICE_NOT_FOUND", `service ${id}`);
}

export function toServiceSummary(core: Core, service: Service, now: number) {
  const { id, code, name, version, description, agentId, agentCode } = service;
  const { storedStatus, healthStatus, healthMessage } = service;
  return {
    id,
    code,
    name,
    version,
    description,
    agentId,
    agentCode,
    labels: labelsOfService(service),
    status: statusNow(core, service, now),
    storedStatus,
    healthStatus,
    healthMessage,
    ...isoTimes(service, "healthChangedAt", "lastReportedAt", "removedAt", "updatedAt"),
    statusCause: causeOfStatus(factsOf(service), now, core.settings.thresholds),
  };
}
