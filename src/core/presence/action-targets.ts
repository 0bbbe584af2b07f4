// The target of a command: the service, its declared action, and an agent that can fetch it.

import { credentialOf } from "../../domain/access/principals.ts";
import { AppError, found } from "../../domain/errors.ts";
import { isSilent } from "../../domain/fleet/agents.ts";
import type { ActionEntry } from "../../domain/fleet/services.ts";
import type { Reader } from "../../store/database.ts";
import { findActionOf } from "../../store/tables/fleet/service-actions.ts";
import { type CommandTarget, findCommandTargets } from "../../store/tables/fleet/services.ts";
import { makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { flushBeforeRead } from "./flush.ts";

export interface ActionTarget {
  service: CommandTarget;
  action: ActionEntry;
}

/** A service that does not exist, or an action that it does not declare, is null. */
export interface FoundTarget {
  service: CommandTarget | null;
  action: ActionEntry | null;
}

/** Reads all targets together, and returns a function that returns one of them. */
export async function lookUpTargets(
  db: Reader,
  wanted: readonly { serviceId: string; actionName: string }[],
): Promise<(serviceId: string, actionName: string) => FoundTarget> {
  const idsOf = new Map<string, Set<string>>();
  for (const { serviceId, actionName } of wanted) {
    const ids = idsOf.get(actionName) ?? new Set();
    idsOf.set(actionName, ids.add(serviceId));
  }
  const [services, actions] = await Promise.all([
    findCommandTargets(db, [...new Set(wanted.map(({ serviceId }) => serviceId))]),
    Promise.all(
      [...idsOf].map(
        async ([name, ids]) => [name, await findActionOf(db, [...ids], name)] as const,
      ),
    ),
  ]);
  const actionsNamed = new Map(actions);
  return (serviceId, actionName) => ({
    service: services.get(serviceId) ?? null,
    action: actionsNamed.get(actionName)?.get(serviceId) ?? null,
  });
}

export async function lookUpTarget(
  db: Reader,
  serviceId: string,
  actionName: string,
): Promise<FoundTarget> {
  const found = await lookUpTargets(db, [{ serviceId, actionName }]);
  return found(serviceId, actionName);
}

/** Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND. */
export async function findTarget(db: Reader, serviceId: string, actionName: string) {
  return requireTarget(await lookUpTarget(db, serviceId, actionName), serviceId, actionName);
}

/** Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND. */
export function requireTarget(
  { service: stored, action }: FoundTarget,
  serviceId: string,
  actionName: string,
): ActionTarget {
  const service = found(stored, "SERVICE_NOT_FOUND", `service ${serviceId}`);
  if (!action) {
    const message = `The service ${service.code} declares no action ${actionName}.`;
    throw new AppError("ACTION_NOT_FOUND", message);
  }
  return { service, action };
}

/** Does the same as `findTarget`, and flushes presence if the agent looks unreachable. */
export async function findTargetNow(ctx: Ctx, serviceId: string, actionName: string) {
  const target = await findTarget(ctx.core.db.read, serviceId, actionName);
  await flushIfUnreachable(ctx, target.service);
  return target;
}

/** Returns the fields of a new command that come from its target and creator. */
export function targetOf(ctx: Ctx, { service, action }: ActionTarget) {
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

/** Throws what `unreachable` returns. */
export function requireReachable(ctx: Ctx, service: Reachable): void {
  const obstacle = unreachable(ctx, service);
  if (obstacle !== null) throw obstacle;
}

/** Whether this is an error that `unreachable` returns. */
export function isOffline({ code }: AppError): boolean {
  return code === "AGENT_OFFLINE" || code === "AGENT_DISABLED";
}

/** Flushes presence if the agent looks unreachable: its last call may be only in memory. */
export async function flushIfUnreachable(ctx: Ctx, service: Reachable | null): Promise<void> {
  if (service && unreachable(ctx, service) !== null) await flushBeforeRead(ctx.core);
}

/** Only a live agent can fetch a command. Returns AGENT_OFFLINE or AGENT_DISABLED, or null. */
export function unreachable(ctx: Ctx, service: Reachable): AppError | null {
  const { statusClock, settings } = ctx.core;
  const agent = service.agentCode;
  const silent = isSilent(service.agentLastHeartbeatAt, statusClock.now(), settings.thresholds);
  const refusal = (code: "AGENT_DISABLED" | "AGENT_OFFLINE", message: string) =>
    new AppError(code, message, { details: { agentId: service.agentId, agentCode: agent } });
  if (service.agentStatus === "DISABLED") {
    return refusal("AGENT_DISABLED", `The agent ${agent} is disabled.`);
  }
  if (!service.agentHasActiveToken) {
    return refusal("AGENT_OFFLINE", `The token of the agent ${agent} was revoked.`);
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
