// What a command is aimed at: the service, its declared action, and an agent that can fetch it.

import { isDeepStrictEqual } from "node:util";
import { isSilent } from "../../domain/agents.ts";
import { AppError } from "../../domain/errors.ts";
import { credentialOf } from "../../domain/principals.ts";
import type { ActionEntry, Service } from "../../domain/services.ts";
import type { Reader } from "../../store/database.ts";
import { findAction } from "../../store/tables/service-actions.ts";
import { findService } from "../../store/tables/services.ts";
import { makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { noSuchService } from "../fleet/services.ts";

export interface Target {
  service: Service;
  action: ActionEntry;
}

/** Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND. */
export async function findTarget(
  db: Reader,
  serviceId: string,
  actionName: string,
): Promise<Target> {
  const service = await findService(db, serviceId);
  if (!service) throw noSuchService(serviceId);
  const action = await findAction(db, serviceId, actionName);
  if (!action) {
    throw new AppError(
      "ACTION_NOT_FOUND",
      `The service ${service.code} declares no action ${actionName}.`,
    );
  }
  return { service, action };
}

/** Whether an action may be run so; throws when it may not. */
export type TargetCheck = (db: Reader, target: Target) => Promise<void>;

/**
 * The target as it is in the transaction: the service may have moved, its agent may just be disabled,
 * and an action that was declared anew is checked again. Throws what findTarget and `check` throw, and
 * AGENT_OFFLINE or AGENT_DISABLED unless `queue`.
 */
export async function targetStill(
  ctx: Ctx,
  tx: Reader,
  seen: Target,
  queue: boolean,
  check?: TargetCheck,
): Promise<Target> {
  const now = await findTarget(tx, seen.service.id, seen.action.name);
  if (!queue) requireReachable(ctx, now.service);
  if (!isDeepStrictEqual(now.action, seen.action)) await check?.(tx, now);
  return now;
}

/** What a new command takes from its target and its maker. */
export function targetOf(ctx: Ctx, { service, action }: Target) {
  const { principal } = ctx;
  const id = credentialOf(principal);
  return {
    agentId: service.agentId,
    agentCode: service.agentCode,
    serviceId: service.id,
    serviceCode: service.code,
    action: action.name,
    retryOf: null,
    source: { kind: "operator" as const, id, name: makerOf(principal), routeId: null },
  };
}

/** A command can only be fetched by an agent that calls. Throws AGENT_OFFLINE, AGENT_DISABLED. */
export function requireReachable(ctx: Ctx, service: Service): void {
  const { statusClock, settings } = ctx.core;
  const agent = service.agentCode;
  const silent = isSilent(service.agentLastHeartbeatAt, statusClock.now(), settings.thresholds);
  const details = { agentId: service.agentId, agentCode: agent };
  if (service.agentStatus === "DISABLED") {
    throw new AppError("AGENT_DISABLED", `The agent ${agent} is disabled.`, { details });
  }
  if (!service.agentHasActiveToken) {
    throw new AppError("AGENT_OFFLINE", `The token of agent ${agent} was revoked.`, { details });
  }
  if (service.agentHasStopped) {
    throw new AppError("AGENT_OFFLINE", `The agent ${agent} was stopped.`, { details });
  }
  if (service.agentStatus === "OFFLINE" || silent) {
    throw new AppError("AGENT_OFFLINE", `The agent ${agent} has not called for a while.`, {
      details,
    });
  }
}

/** Throws CONFIRMATION_REQUIRED. */
export function requireConfirmation(action: ActionEntry, confirmation: boolean): void {
  if (!action.requiresConfirmation || confirmation) return;
  throw new AppError(
    "CONFIRMATION_REQUIRED",
    `The action ${action.name} needs "confirmation": true.`,
    { details: { action: action.name, dangerLevel: action.dangerLevel } },
  );
}
