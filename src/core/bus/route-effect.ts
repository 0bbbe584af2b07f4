// Decides which command a route creates from an event, or why it creates none.

import type { BusEvent } from "../../domain/bus/bus-events.ts";
import { type BusRoute, mapPayload, type RouteRule } from "../../domain/bus/bus-routes.ts";
import { isForOtherAgent, wholeRoute } from "../../domain/bus/route-secrets.ts";
import type { ActionEntry, Service } from "../../domain/fleet/services.ts";
import { actionTimeoutSeconds } from "../../domain/limits.ts";
import { problemOfPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { withholdSecrets } from "../../domain/secrets/payload-secrets.ts";
import type { Reader } from "../../store/database.ts";
import { findAction } from "../../store/tables/fleet/service-actions.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import { demandFor, policyNames } from "../approvals/demands.ts";
import type { NewCommand } from "../commands/commands.ts";
import type { Ctx } from "../context.ts";
import { unreachable } from "../presence/action-targets.ts";

export interface BusTarget {
  /** Null if no agent has reported the service. */
  service: Service | null;
  /** Null if the service does not declare the action. */
  action: ActionEntry | null;
  /** The reason why no agent can fetch a command now, or null. */
  unreachable: string | null;
  /** The policies that require approval of the action, which the bus cannot request. */
  policies: readonly string[];
}

export type PlannedCommand = Pick<
  NewCommand,
  "agentId" | "agentCode" | "serviceId" | "serviceCode" | "action" | "payload" | "timeoutSeconds"
> & { type: "ACTION_EXECUTE" };

export type RouteEffect =
  | { outcome: "COMMAND_CREATED" | "DRY_RUN"; reason: null; command: PlannedCommand }
  | { outcome: "FAILED"; reason: string; command: null };

type Aim = Pick<Rule, "target" | "secretsGiven">;
/** A stored route, or a draft of one. */
export type Rule = RouteRule & Partial<Pick<BusRoute, "withheld" | "secrets" | "secretsGiven">>;

export async function busTargetOf(ctx: Ctx, db: Reader, { target }: Aim): Promise<BusTarget> {
  const service = await findServiceByCode(db, target.serviceCode);
  if (!service) return { service: null, action: null, unreachable: null, policies: [] };
  // Checked before the next read. During that read, a flush can move the agent's last call from
  // memory to the database.
  const obstacle = unreachable(ctx, service);
  const action = await findAction(db, service.id, target.action);
  const demand = action && (await demandFor(db, [{ serviceId: service.id, action }]));
  return {
    service,
    action,
    unreachable: obstacle?.message ?? null,
    policies: demand?.requirements.map(({ policyName }) => policyName) ?? [],
  };
}

/**
 * A DRY_RUN route fails in the same cases as an ENABLED one. A DISABLED route is treated like an
 * ENABLED one.
 */
export function routeEffect(route: Rule, event: BusEvent, target: BusTarget): RouteEffect {
  const obstacle = obstacleOf(route, target);
  if (obstacle !== null) return failed(obstacle);
  const { service, action } = target as { service: Service; action: ActionEntry };
  const mapped = mapPayload(wholeRoute(route), event);
  if ("problems" in mapped) return failed(`No payload can be made: ${mapped.problems.join("; ")}.`);
  const problem = problemOfPayload(mapped.payload, action.inputSchema);
  if (problem !== null) return failed(problem.message);
  return {
    outcome: route.state === "DRY_RUN" ? "DRY_RUN" : "COMMAND_CREATED",
    reason: null,
    command: {
      type: "ACTION_EXECUTE",
      agentId: service.agentId,
      agentCode: service.agentCode,
      serviceId: service.id,
      serviceCode: service.code,
      action: action.name,
      payload: mapped.payload,
      timeoutSeconds: action.timeoutSeconds ?? actionTimeoutSeconds.default,
    },
  };
}

/**
 * Returns the payload of a planned command, without secrets. `route` is a draft or comes from
 * `asShown`.
 */
export function shownPayload(route: Rule, event: BusEvent, { action }: BusTarget): JsonObject {
  const mapped = mapPayload(route, event);
  const payload = "payload" in mapped ? mapped.payload : {};
  return withholdSecrets(payload, action?.inputSchema ?? {}).payload;
}

/** Returns the reason why no event can become a command at this moment, or null. */
export function obstacleOf(route: Aim, target: BusTarget): string | null {
  const { target: wanted } = route;
  const { service, action, unreachable, policies } = target;
  if (!service) return `There is no service ${wanted.serviceCode}.`;
  if (isForOtherAgent(route, service)) {
    return `The service ${wanted.serviceCode} now belongs to another agent, and the secrets of the route were not given for that agent. Save the route again, with its secrets.`;
  }
  if (!action) return `The service ${wanted.serviceCode} declares no action ${wanted.action}.`;
  if (action.requiresConfirmation) {
    return `The action ${wanted.action} requires confirmation by a person.`;
  }
  if (policies.length > 0) {
    return `${policyNames(policies)} approval of the action ${wanted.action} (APPROVAL_REQUIRED), which the bus cannot request.`;
  }
  return unreachable;
}

function failed(reason: string): RouteEffect {
  return { outcome: "FAILED", reason, command: null };
}
