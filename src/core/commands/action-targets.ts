// The target of a command: the service, its declared action, and an agent that can fetch it.

import { isDeepStrictEqual } from "node:util";
import { isSilent } from "../../domain/agents.ts";
import { AppError, found } from "../../domain/errors.ts";
import { credentialOf } from "../../domain/principals.ts";
import type { ActionEntry } from "../../domain/services.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findAction } from "../../store/tables/service-actions.ts";
import { type CommandTarget, findCommandTarget } from "../../store/tables/services.ts";
import { makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { settle } from "../memory/flush.ts";

export interface Target {
  service: CommandTarget;
  action: ActionEntry;
}

/** Returns null for a service that does not exist, and for an action that it does not declare. */
export async function lookUpTarget(db: Reader, serviceId: string, actionName: string) {
  const [service, action] = await Promise.all([
    findCommandTarget(db, serviceId),
    findAction(db, serviceId, actionName),
  ]);
  return { service, action };
}

/** Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND. */
export async function findTarget(db: Reader, serviceId: string, actionName: string) {
  return requireTarget(await lookUpTarget(db, serviceId, actionName), serviceId, actionName);
}

/** Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND. */
export function requireTarget(
  { service: stored, action }: Awaited<ReturnType<typeof lookUpTarget>>,
  serviceId: string,
  actionName: string,
): Target {
  const service = found(stored, "SERVICE_NOT_FOUND", `service ${serviceId}`);
  if (!action) {
    const message = `The service ${service.code} declares no action ${actionName}.`;
    throw new AppError("ACTION_NOT_FOUND", message);
  }
  return { service, action };
}

/** Flushes memory if the agent looks unreachable, because it may have just called. */
export async function findTargetNow(ctx: Ctx, serviceId: string, actionName: string) {
  const target = await findTarget(ctx.core.db.read, serviceId, actionName);
  if (unreachable(ctx, target.service) !== null) await settle(ctx.core);
  return target;
}

/** Throws if the action must not run in this way. */
export type TargetCheck = (db: Reader, target: Target) => Promise<void>;

/** The service may have moved since `seen` was read; a changed action is checked again. */
export async function targetStill(
  ctx: Ctx,
  tx: Tx,
  seen: Target,
  queue: boolean,
  check?: TargetCheck,
): Promise<Target> {
  const now = await findTarget(tx, seen.service.id, seen.action.name);
  if (!queue) requireReachable(ctx, now.service);
  if (!isDeepStrictEqual(now.action, seen.action)) await check?.(tx, now);
  return now;
}

/** Returns the fields of a new command that come from its target and creator. */
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

type Reachable = Omit<CommandTarget, "agentFeatures">;

/** Only a live agent can fetch a command. Throws AGENT_OFFLINE, AGENT_DISABLED. */
export function requireReachable(ctx: Ctx, service: Reachable): void {
  const obstacle = unreachable(ctx, service);
  if (obstacle !== null) throw obstacle;
}

export function isReachable(ctx: Ctx, service: Reachable): boolean {
  return unreachable(ctx, service) === null;
}

/** Whether the error is one of `requireReachable`. */
export function isOffline({ code }: AppError): boolean {
  return code === "AGENT_OFFLINE" || code === "AGENT_DISABLED";
}

function unreachable(ctx: Ctx, service: Reachable): AppError | null {
  const { statusClock, settings } = ctx.core;
  const agent = service.agentCode;
  const silent = isSilent(service.agentLastHeartbeatAt, statusClock.now(), settings.thresholds);
  const refusal = (code: "AGENT_DISABLED" | "AGENT_OFFLINE", message: string) =>
    new AppError(code, message, { details: { agentId: service.agentId, agentCode: agent } });
  if (service.agentStatus === "DISABLED") {
    return refusal("AGENT_DISABLED", `The agent ${agent} is disabled.`);
  }
  if (!service.agentHasActiveToken) {
    return refusal("AGENT_OFFLINE", `The token of agent ${agent} was revoked.`);
  }
  if (service.agentHasStopped) {
    return refusal("AGENT_OFFLINE", `The agent ${agent} was stopped.`);
  }
  if (service.agentStatus === "OFFLINE" || silent) {
    return refusal("AGENT_OFFLINE", `The agent ${agent} has not called for a while.`);
  }
  return null;
}

export function requireConfirmation(action: ActionEntry, confirmation: boolean): void {
  if (!action.requiresConfirmation || confirmation) return;
  const { name, dangerLevel } = action;
  const details = { action: name, dangerLevel };
  throw new AppError("CONFIRMATION_REQUIRED", `The action ${name} requires "confirmation": true.`, {
    details,
  });
}
