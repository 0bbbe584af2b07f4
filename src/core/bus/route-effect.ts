// What a route would do with an event that it matches: the command, or why there can be none. Routing
// and the test of a route both ask here.

import type { BusEvent } from "../../domain/bus/bus-events.ts";
import { type BusRoute, mapPayload } from "../../domain/bus/bus-routes.ts";
import { AppError } from "../../domain/errors.ts";
import { actionTimeoutSeconds } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { ActionEntry, Service } from "../../domain/services.ts";
import type { Reader } from "../../store/database.ts";
import { findAction } from "../../store/tables/service-actions.ts";
import { findServiceByCode } from "../../store/tables/services.ts";
import { requireReachable } from "../commands/action-targets.ts";
import type { Ctx } from "../context.ts";

/** What a route is aimed at, as it stands at the moment. */
export interface BusTarget {
  /** Null: no agent has reported it. */
  service: Service | null;
  /** Null: the service declares none of this name. */
  action: ActionEntry | null;
  /** Why no agent could fetch a command now; null when one can. */
  unreachable: string | null;
}

/** What a bus-made command is made of. */
export interface PlannedCommand {
  type: "ACTION_EXECUTE";
  agentId: string;
  agentCode: string;
  serviceId: string;
  serviceCode: string;
  action: string;
  payload: JsonObject;
  timeoutSeconds: number;
}

export type Plan =
  | { outcome: "COMMAND_CREATED" | "DRY_RUN"; reason: null; command: PlannedCommand }
  | { outcome: "FAILED"; reason: string; command: null };

type Aim = Pick<BusRoute, "target">;
type Rule = Pick<BusRoute, "target" | "payload" | "state">;

/** The target of a route now. Before it, what is only in memory must be flushed (`settle`). */
export async function busTargetOf(ctx: Ctx, db: Reader, { target }: Aim): Promise<BusTarget> {
  const service = await findServiceByCode(db, target.serviceCode);
  if (!service) return { service: null, action: null, unreachable: null };
  const action = await findAction(db, service.id, target.action);
  return { service, action, unreachable: whyUnreachable(ctx, service) };
}

/**
 * What comes of an event that the route matches. A route in DRY_RUN fails as it would when enabled; one
 * that is DISABLED is looked at as if it were enabled, so leave those out where it matters.
 */
export function planOf(route: Rule, event: BusEvent, target: BusTarget): Plan {
  const hindrance = hindranceOf(route, target);
  if (hindrance !== null) return failed(hindrance);
  const { service, action } = target as { service: Service; action: ActionEntry };
  const mapped = mapPayload(route, event);
  if ("problems" in mapped) return failed(`No payload can be made: ${mapped.problems.join("; ")}.`);
  const misfit = whyMisfit(mapped.payload, action);
  if (misfit !== null) return failed(misfit);
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

/** Why no event at all would become a command as things stand; null when one could. */
export function hindranceOf({ target: wanted }: Aim, target: BusTarget): string | null {
  const { service, action, unreachable } = target;
  if (!service) return `There is no service ${wanted.serviceCode}.`;
  if (!action) return `The service ${wanted.serviceCode} declares no action ${wanted.action}.`;
  if (action.requiresConfirmation) {
    return `The action ${wanted.action} needs the confirmation of a person.`;
  }
  return unreachable;
}

function whyUnreachable(ctx: Ctx, service: Service): string | null {
  return messageOf(() => requireReachable(ctx, service));
}

function whyMisfit(payload: JsonObject, action: ActionEntry): string | null {
  return messageOf(() => checkPayload(payload, action.inputSchema));
}

/** What the check says against it; null when it lets it pass. */
function messageOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function failed(reason: string): Plan {
  return { outcome: "FAILED", reason, command: null };
}
