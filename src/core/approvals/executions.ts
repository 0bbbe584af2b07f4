// The stored content of a request for approval of one action, and its comparison with the present
// state.

import type { Approval } from "../../domain/approvals/approvals.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { type Shown, wholePayload, withholdAgain } from "../../domain/secrets/payload-secrets.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Core } from "../context.ts";
import type { ActionTarget } from "../presence/action-targets.ts";
import { declarationOf, digestOf } from "./digests.ts";
import type { Draft } from "./requests.ts";

/** What a caller wants to run, without the target. */
export interface Order {
  payload: JsonObject;
  reason: string | null;
  prepareCommandId: string | null;
  retryOf: string | null;
  expectedState: string | null;
  /** The plan that is applied, or null. */
  plan: { planId: string; createdBy: string | null; createdAt: string } | null;
  /** Whether the command may wait for an agent that is offline. */
  queue: boolean;
}

/** Decides which values of an order's payload are secrets. */
export interface SecretMarks {
  schema: JsonObject;
  shown?: Shown | undefined;
}

export function draftOf(
  core: Core,
  target: ActionTarget,
  order: Order,
  { schema, shown }: SecretMarks,
): Draft {
  const { service, action } = target;
  const { payload, withheld, secrets } = withholdAgain(order.payload, shown, schema);
  return {
    kind: "action",
    title: `${action.name} on ${service.code}`,
    action: action.name,
    serviceId: service.id,
    serviceCode: service.code,
    subjectId: null,
    content: contentOf(target, { ...order, payload }) as unknown as JsonObject,
    digest: digestOf(core, "action", contentOf(target, order)),
    withheld,
    secrets,
    reason: order.reason,
  };
}

function contentOf({ service, action }: ActionTarget, order: Order) {
  return {
    service: { id: service.id, code: service.code },
    agent: { id: service.agentId, code: service.agentCode },
    action: declarationOf(action),
    ...order,
  };
}

/** Returns what was ordered, with its secrets. */
export function orderOf({ content, withheld, secrets }: Approval): Order {
  const { payload, reason, prepareCommandId, retryOf, expectedState, plan, queue } =
    content as unknown as Order;
  return {
    payload: wholePayload({ payload, withheld, secrets: secrets as Json[] }),
    reason,
    prepareCommandId,
    retryOf,
    expectedState,
    plan,
    queue,
  };
}

/** Returns the payload of a request as it is shown. */
export function shownPayloadOf({ content, withheld }: Approval): Shown {
  return { payload: (content as unknown as Order).payload, withheld };
}

/**
 * If the service has passed to another agent since the request, returns a sentence that names that
 * agent; otherwise null.
 */
export function moveSince(
  { content }: Approval,
  { code, agentId, agentCode }: ActionTarget["service"],
): string | null {
  const { agent } = content as Content;
  if (agent.id === agentId) return null;
  return `The service ${code} belongs to the agent ${agentCode} now.`;
}

type Content = ReturnType<typeof contentOf> & JsonObject;

/** Returns what has changed about the target or the order since the request, or null. */
export function changeSince(core: Core, approval: Approval, target: ActionTarget): string | null {
  const order = orderOf(approval);
  if (digestOf(core, "action", contentOf(target, order)) === approval.digest) return null;
  const move = moveSince(approval, target.service);
  if (move !== null) return move;
  const { action: before } = approval.content as Content;
  const { action } = target;
  const now: Record<string, unknown> = declarationOf(action);
  const fields = Object.keys(now).filter((field) => {
    return !jsonEqual(now[field], (before as Record<string, unknown>)[field]);
  });
  return fields.length > 0
    ? `The service declares the action ${action.name} differently now (${fields.join(", ")}).`
    : "The stored request differs from the one that was made.";
}
