// The target of a command: the service, its declared action, and an agent that is alive, so that it
// can fetch the command.

import { credentialOf } from "../../domain/access/principals.ts";
import { AppError, found } from "../../domain/errors.ts";
import { type AgentStanding, isSilent } from "../../domain/fleet/agents.ts";
import type { ActionEntry } from "../../domain/fleet/services.ts";
import type { Reader } from "../../store/database.ts";
import { findActionOf } from "../../store/tables/fleet/service-actions.ts";
import { type CommandTarget, findCommandTargets } from "../../store/tables/fleet/services.ts";
import { makerOf } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";

export interface ActionTarget {
  service: CommandTarget;
  action: ActionEntry;
}

/**
 * `service` is null if it does not exist, and `action` is null if the service does not declare it.
 */
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

/** Only a live agent can fetch a command. Returns AGENT_OFFLINE or AGENT_DISABLED, or null. */
export function unreachable({ core }: Ctx, service: Reachable): AppError | null {
  const { agentId, agentCode: agent } = service;
  const standing = {
    status: service.agentStatus,
    hasActiveToken: service.agentHasActiveToken,
    lastHeartbeatAt: service.agentLastHeartbeatAt,
  };
  if (isAlive(core, agentId, standing)) return null;
  const refusal = (code: "AGENT_DISABLED" | "AGENT_OFFLINE", message: string) =>
    new AppError(code, message, { details: { agentId, agentCode: agent } });
  if (service.agentStatus === "DISABLED") {
    return refusal("AGENT_DISABLED", `The agent ${agent} is disabled.`);
  }
  if (!service.agentHasActiveToken) {
    return refusal("AGENT_OFFLINE", `The token of the agent ${agent} was revoked.`);
  }
  if (service.agentHasStopped) {
    return refusal("AGENT_OFFLINE", `The agent ${agent} was stopped.`);
  }
  return refusal("AGENT_OFFLINE", `The agent ${agent} has not called for a while.`);
}

/**
 * Returns whether the agent may call and has called within the offline threshold. The last call of
 * the agent may be only in memory.
 */
export function isAlive(core: Core, agentId: string, standing: AgentStanding): boolean {
  const { status, hasActiveToken, lastHeartbeatAt } = standing;
  if (status === "DISABLED" || !hasActiveToken) return false;
  const stored = status === "ONLINE" ? lastHeartbeatAt : null;
  const last = Math.max(core.presence.agents.get(agentId) ?? -Infinity, stored ?? -Infinity);
  return !isSilent(last, core.statusClock.now(), core.settings.thresholds);
}

export function requireConfirmation(action: ActionEntry, confirmation: boolean): void {
  if (!action.requiresConfirmation || confirmation) return;
  const { name, dangerLevel } = action;
  const details = { action: name, dangerLevel };
  throw new AppError("CONFIRMATION_REQUIRED", `The action ${name} requires "confirmation": true.`, {
    details,
  });
}
