// Requests for approval of rollouts. The targets are stored with the rollout. When it is approved,
// they are compared with the present services.

import type { Approval } from "../../domain/approvals/approvals.ts";
import { type ActionEntry, highestDanger } from "../../domain/fleet/services.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { deadlineMsOf, type Rollout, type RolloutTarget } from "../../domain/rollouts/rollouts.ts";
import { type PayloadParts, wholePayload } from "../../domain/secrets/payload-secrets.ts";
import { counted } from "../../lib/counted.ts";
import type { Tx } from "../../store/database.ts";
import {
  listPresentTargets,
  type PresentTarget,
} from "../../store/tables/rollouts/rollout-targets.ts";
import { setRolloutApproval, setRolloutState } from "../../store/tables/rollouts/rollouts.ts";
import type { Core, Ctx } from "../context.ts";
import { type ActionOnService, currentPolicies } from "./demands.ts";
import { declarationHash, declarationOf, digestOf } from "./digests.ts";
import { askOrBypass } from "./gate.ts";
import { approvalNeeded, type Basis } from "./permits.ts";
import { type Draft, openRequest, recordBypass } from "./requests.ts";

/**
 * Call this after a rollout and its targets were inserted, and before a rollout is resumed. If
 * policies demand more than `basis` satisfies, the rollout becomes AWAITING_APPROVAL. Throws
 * APPROVAL_REQUIRED if the caller cannot ask for approval.
 */
export async function gateRollout(
  ctx: Ctx,
  tx: Tx,
  rollout: Rollout,
  basis: Basis,
  breakGlass?: string,
): Promise<void> {
  if ((await currentPolicies(tx)).length === 0) return;
  const targets = await listPresentTargets(tx, rollout.id, rollout.action);
  const hold = await approvalNeeded(tx, actionsOf(targets), basis);
  if (hold === null) return;
  const resolution = await askOrBypass(ctx, tx, hold, breakGlass);
  const draft = draftOf(ctx.core, rollout, targets);
  if (resolution.kind === "bypass") {
    const { id } = await recordBypass(ctx, tx, draft, resolution);
    await setRolloutApproval(tx, rollout.id, id);
    return;
  }
  rollout.state = "AWAITING_APPROVAL";
  await setRolloutState(tx, rollout.id, rollout.state, null);
  await openRequest(ctx, tx, draft, resolution);
}

function draftOf(core: Core, rollout: Rollout, targets: readonly PresentTarget[]): Draft {
  const { id, name, action, withheld, reason } = rollout;
  const content = contentOf(rollout, targets.length);
  const what = `${action} on ${counted(targets.length, "service")}`;
  return {
    kind: "rollout",
    // Whoever starts the rollout chooses its name, so the name alone could mislead the approvers.
    title: name === null ? what : `${what} (${name})`,
    action,
    serviceId: null,
    serviceCode: null,
    subjectId: id,
    content: {
      ...content,
      dangerLevel: highestDanger(targets.map((target) => target.action)),
      payload: rollout.payload,
      ...ownPayloads(targets),
      ...(rollout.plan.leftOut?.total ? { leftOut: rollout.plan.leftOut } : {}),
    } as unknown as JsonObject,
    digest: rolloutDigest(core, rollout, targets),
    withheld,
    // The secrets are stored with the rollout.
    secrets: null,
    reason,
  };
}

function ownPayloads(targets: readonly PresentTarget[]) {
  const own = targets.flatMap(({ target }): [string, JsonObject][] =>
    target.own ? [[target.serviceCode, target.own.payload]] : [],
  );
  return own.length > 0 ? { payloadByService: Object.fromEntries(own) } : {};
}

function rolloutDigest(core: Core, rollout: Rollout, targets: readonly PresentTarget[]): string {
  const content = contentOf(rollout, targets.length);
  const payload = wholePayload(rollout as PayloadParts);
  return digestOf(core, "rollout", { ...content, payload }, partsOf(targets));
}

function* partsOf(targets: readonly PresentTarget[]): Generator<object> {
  for (const { target, service, action } of targets) {
    const { position, wave, serviceId, own, expectedState } = target;
    yield {
      position,
      wave,
      serviceId,
      service,
      action: action && declarationOf(action),
      payload: own && wholePayload(own as PayloadParts),
      expectedState,
    };
  }
}

function contentOf(rollout: Rollout, total: number) {
  const { name, action, choice, plan, reason, retryOf } = rollout;
  const { waves, maxParallel, maxFailures, between, offline, healthTimeoutMs } = plan;
  const deadlineMs = deadlineMsOf(rollout);
  const { ifUnchanged } = plan;
  return {
    name,
    action,
    reason,
    retryOf,
    choice,
    total,
    waves,
    maxParallel,
    maxFailures,
    offline,
    ...(ifUnchanged ? { ifUnchanged } : {}),
    between: typeof between === "object" ? between.waitMs / 1000 : between,
    healthTimeoutSeconds: healthTimeoutMs === null ? null : healthTimeoutMs / 1000,
    deadlineSeconds: deadlineMs === null ? null : deadlineMs / 1000,
  };
}

export function actionsOf(targets: readonly PresentTarget[]): ActionOnService[] {
  return targets.flatMap(({ target, action }) =>
    action === null ? [] : [{ serviceId: target.serviceId, action }],
  );
}

/** Returns what has changed since the request, or null. */
export function rolloutChangeSince(
  core: Core,
  approval: Approval,
  rollout: Rollout,
  targets: readonly PresentTarget[],
): string | null {
  if (rolloutDigest(core, rollout, targets) === approval.digest) return null;
  for (const { target, service, action } of targets) {
    if (service === null) return `The service ${target.serviceCode} was deleted.`;
    const change = targetChange(target, service, action);
    if (change !== null) return change;
    if (action === null) {
      return `The service ${target.serviceCode} no longer declares the action ${rollout.action}.`;
    }
  }
  return `A service declares the action ${rollout.action} differently now.`;
}

/** Returns what has changed about a target since its rollout was created, or null. */
export function targetChange(
  { agentId, declaration }: Pick<RolloutTarget, "agentId" | "declaration">,
  service: { code: string; agentId: string; agentCode: string },
  action: ActionEntry | null,
): string | null {
  if (service.agentId !== agentId) {
    return `The service ${service.code} belongs to the agent ${service.agentCode} now.`;
  }
  if (action === null || declaration === null) return null;
  if (declaration === declarationHash(action)) return null;
  return `The service ${service.code} declares the action ${action.name} differently now.`;
}
