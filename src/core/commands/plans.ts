// Signs plans, and applies each of them once. (docs/decisions/0007-two-phase-actions.md)

import { createHmac, timingSafeEqual } from "node:crypto";
import type { plans } from "../../api/plans.ts";
import { type Plan, planVersion } from "../../domain/commands/plans.ts";
import { AppError } from "../../domain/errors.ts";
import { bodyLimitBytes, jsonBytesPerPart, jsonMaxDepth } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { wholePayload, withholdSecrets } from "../../domain/secrets/payload-secrets.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import { makerOf } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { effectOfPlan } from "../idempotency-keys.ts";
import { findTarget } from "../presence/action-targets.ts";
import { derivedKey } from "../secrets/derived-key.ts";
import { seal, unseal } from "../secrets/sealing.ts";
import { alreadyApplied, startExecution } from "./executions.ts";
import { formWithState } from "./prepared-forms.ts";

export const handlers: HandlersOf<typeof plans> = {
  "plans.create": (ctx, { params, body }) =>
    createPlan(ctx, params.serviceId, params.actionName, body),
  "plans.apply": (ctx, { query, body }) => applyPlan(ctx, body, query.queue),
};

async function createPlan(
  { core, principal }: Ctx,
  serviceId: string,
  actionName: string,
  { payload, prepareCommandId, reason }: Body<typeof plans, "plans.create">,
): Promise<Plan> {
  const { read } = core.db;
  const now = core.now();
  const target = await findTarget(read, serviceId, actionName);
  const { form, expiresAt } = await formWithState(read, target, prepareCommandId, now);
  checkPayload(payload, form.inputSchema);
  const { service, action } = target;
  const { name, label, description, dangerLevel, requiresConfirmation } = action;
  const id = core.newId("pln");
  const parts = withholdSecrets(payload, form.inputSchema);
  const plan = signed(core, {
    version: planVersion,
    id,
    serverId: serverIdOf(core),
    service: { id: service.id, code: service.code },
    agent: { id: service.agentId, code: service.agentCode },
    action: { name, label, description, dangerLevel, requiresConfirmation },
    ...form,
    prepareCommandId,
    payload: parts.payload,
    withheld: parts.withheld,
    sealedSecrets: sealSecrets(core, id, parts.secrets),
    reason: reason === undefined ? null : redactText(reason),
    createdBy: makerOf(principal),
    createdAt: isoTime(now),
    expiresAt: isoTime(expiresAt),
  });
  requireApplicable(plan);
  return plan;
}

type Application = Body<typeof plans, "plans.apply">;

async function applyPlan(ctx: Ctx, request: Application, queue: boolean) {
  const { core } = ctx;
  const { plan: sent, confirmation, breakGlass } = request;
  const plan = verified(core, sent);
  const { id: planId, service, action, prepareCommandId, reason, createdBy, createdAt } = plan;
  await requireMayBypass(ctx, breakGlass);
  const earlier = await effectOfPlan(core.db.read, planId);
  if (earlier !== null) throw alreadyApplied(planId, earlier);
  if (Date.parse(plan.expiresAt) <= core.now()) throw expired(plan);
  const seen = await findTarget(core.db.read, service.id, action.name);
  const execution = {
    payload: wholePayload({ ...plan, secrets: openSecrets(core, plan) }),
    shown: plan,
    confirmation,
    prepareCommandId,
    reason,
    breakGlass,
    ifUnchanged: true,
    retryOf: null,
    plan: { planId, createdBy, createdAt },
  };
  return startExecution(ctx, seen, execution, queue);
}

function signed(core: Core, plan: Omit<Plan, "signature">): Plan {
  return { ...plan, signature: signatureOf(core, plan) };
}

/**
 * Throws PLAN_INVALID. A plan that passes was made by this program, so its fields need no other
 * check.
 */
function verified(core: Core, sent: JsonObject): Plan {
  const { signature, ...fields } = sent;
  if (typeof signature !== "string") throw invalid("it has no signature", "NOT_A_PLAN");
  if (typeof fields.serverId === "string" && fields.serverId !== serverIdOf(core)) {
    throw invalid("another server made it, or the keys of this one were replaced", "OTHER_SERVER");
  }
  const expected = Buffer.from(signatureOf(core, fields));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalid("it was changed after the server signed it", "CHANGED");
  }
  const plan = sent as unknown as Plan;
  if (plan.version === planVersion) return plan;
  throw invalid("a server with another version made it", "OTHER_VERSION");
}

function signatureOf({ auditKey }: Core, fields: object): string {
  const key = derivedKey(auditKey, "plan signatures");
  return createHmac("sha256", key).update(canonicalJson(fields)).digest("hex");
}

/** All nodes of a cluster use the same audit key, and so does the command line with `--db`. */
function serverIdOf({ auditKey }: Core): string {
  return derivedKey(auditKey, "plan server").toString("hex", 0, 8);
}

function sealSecrets(core: Core, planId: string, secrets: Json[]): string | null {
  if (secrets.length === 0) return null;
  return seal(secretsKeyOf(core), planId, JSON.stringify(secrets), core.fillRandom);
}

function openSecrets(core: Core, { id, sealedSecrets }: Plan): Json[] {
  if (sealedSecrets === null) return [];
  const text = unseal(secretsKeyOf(core), id, sealedSecrets);
  if (text === null) throw new Error(`the secrets of the plan ${id} cannot be opened`);
  return JSON.parse(text) as Json[];
}

function secretsKeyOf({ auditKey }: Core): Buffer {
  return derivedKey(auditKey, "plan secrets");
}

/**
 * Throws PAYLOAD_TOO_LARGE for a plan that `plans.apply` would refuse. Its request nests the plan
 * one level deeper.
 */
function requireApplicable(plan: Plan): void {
  const text = JSON.stringify({ plan, confirmation: true });
  if (Buffer.byteLength(text) > bodyLimitBytes.plan) {
    throw tooLarge(`more than ${bodyLimitBytes.plan} bytes`);
  }
  const maxParts = Math.floor(bodyLimitBytes.plan / jsonBytesPerPart);
  const parsed = parseStrictJson(text, jsonMaxDepth, maxParts);
  if (parsed.ok) return;
  throw tooLarge(
    `too many ${parsed.reason === "parts" ? "objects, arrays, keys or values" : "levels"}`,
  );
}

function tooLarge(why: string): AppError {
  const message = `The plan would have ${why}. Run the action without a plan.`;
  return new AppError("PAYLOAD_TOO_LARGE", message);
}

function invalid(why: string, reason: string): AppError {
  const message = `The plan is not valid: ${why}. Make a new plan.`;
  return new AppError("PLAN_INVALID", message, { details: { reason } });
}

function expired({ id, expiresAt }: Plan): AppError {
  const message = `The plan ${id} expired at ${expiresAt}. Make a new plan.`;
  return new AppError("PLAN_EXPIRED", message, { details: { planId: id, expiresAt } });
}
