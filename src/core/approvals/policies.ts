// Approval policies. An update names the version of the policy that it changes.

import type { z } from "zod";
import type { approvalPolicies, approvalPolicy } from "../../api/approval-policies.ts";
import type { ReplyData } from "../../api/contract/route.ts";
import {
  type Approvers,
  type Policy,
  type PolicyRule,
  whyNotApplied,
  withApprovers,
} from "../../domain/approvals/policies.ts";
import { declaredBy, declaredIn, type Origin, originFacts } from "../../domain/declarations.ts";
import {
  AppError,
  found,
  type Issue,
  requireRoom,
  requireSameVersion,
  validationFailed,
} from "../../domain/errors.ts";
import { maxApprovalPolicies } from "../../domain/limits.ts";
import { isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findUserByName } from "../../store/tables/access/users.ts";
import {
  countPolicies,
  findPolicy,
  findPolicyByName,
  listPolicies,
  policiesInOrder,
  policyRows,
} from "../../store/tables/approvals/approval-policies.ts";
import { findServiceLabels } from "../../store/tables/fleet/services.ts";
import { audit, changedFields, changesOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { findTarget } from "../presence/action-targets.ts";
import { forgetPolicies } from "./demands.ts";
import { labelWarnings } from "./reported-labels.ts";
import { refreshRequirements } from "./requirements.ts";
import { namesOf } from "./views.ts";

export const handlers: HandlersOf<typeof approvalPolicies> = {
  "approval-policies.list": async ({ core }, { query }) => {
    const { read } = core.db;
    const { items, total } = await listPolicies(read, query);
    const views: PolicyView[] = [];
    for (const policy of items) views.push(await toView(read, policy));
    return { items: views, total };
  },
  "approval-policies.create": async (ctx, { body }) => {
    const warnings = await warningsOf(ctx, body);
    return change(ctx, async (tx) => {
      const policy = await createPolicy(ctx, tx, body);
      return rememberAnswer(ctx, tx, { ...(await toView(tx, policy)), warnings });
    });
  },
  "approval-policies.test": (ctx, { query }) => testPolicies(ctx, query.serviceId, query.action),
  "approval-policies.get": async (ctx, { params }) => {
    const { read } = ctx.core.db;
    const policy = await requirePolicy(read, params.policyId);
    return { ...(await toView(read, policy)), warnings: await warningsOf(ctx, policy) };
  },
  "approval-policies.update": async (ctx, { params, body: { version, ...rule } }) => {
    const warnings = await warningsOf(ctx, rule);
    return change(ctx, async (tx) => {
      const before = await requirePolicy(tx, params.policyId);
      requireSameVersion(before, version, `policy ${before.name}`);
      const wanted = await ruleFrom(tx, rule);
      await requireFreeName(tx, wanted.name, before.id);
      const policy = await updatePolicyIn(ctx, tx, before, wanted, null);
      return { ...(await toView(tx, policy)), warnings };
    });
  },
  "approval-policies.delete": (ctx, { params }) =>
    change(ctx, async (tx) => {
      await deletePolicyIn(ctx, tx, await requirePolicy(tx, params.policyId), null);
      return { id: params.policyId, deleted: true as const };
    }),
};

function warningsOf(ctx: Ctx, { selector }: { selector?: string | undefined }) {
  return labelWarnings(ctx.core.db.read, "policy", selector);
}

async function change<T>(ctx: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const answer = await ctx.core.db.write(work);
  await refreshRequirements(ctx);
  return answer;
}

type PolicyView = z.output<typeof approvalPolicy>;
type TestedPolicy = ReplyData<
  (typeof approvalPolicies)["approval-policies.test"]
>["policies"][number];

/** A policy as callers write it, with the names of users. */
export type PolicyInput = Body<typeof approvalPolicies, "approval-policies.create">;

/** Throws APPROVAL_POLICY_NAME_TAKEN, and VALIDATION_FAILED for unknown users. */
async function createPolicy(ctx: Ctx, tx: Tx, input: PolicyInput): Promise<Policy> {
  const rule = await ruleFrom(tx, input);
  await requireFreeName(tx, rule.name, null);
  requireRoom(await countPolicies(tx), maxApprovalPolicies, "policies", "delete one first");
  return createPolicyIn(ctx, tx, rule, null, ctx.core.newId("pol"));
}

/** The caller has checked that the name is free, and that there is room. */
export async function createPolicyIn(
  ctx: Ctx,
  tx: Tx,
  rule: PolicyRule,
  origin: Origin | null,
  id: string,
): Promise<Policy> {
  const policy: Policy = {
    ...rule,
    id,
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await policyRows.insert(tx, policy);
  forgetPolicies(tx);
  await auditPolicy(ctx, tx, policy, "policy.created", { ...rule }, origin);
  return policy;
}

/**
 * Returns the policy as it is afterwards. If nothing would change, nothing is written or audited.
 * The caller has checked the version, and that the name is free.
 */
export async function updatePolicyIn(
  ctx: Ctx,
  tx: Tx,
  before: Policy,
  rule: PolicyRule,
  origin: Origin | null,
): Promise<Policy> {
  const fields = Object.keys(rule) as (keyof PolicyRule)[];
  const old = ruleOf(before);
  const changes = changesOf(changedFields(fields, old, rule), old, rule);
  const declared = declaredBy(origin, before);
  if (Object.keys(changes).length === 0 && declared.declared === before.declared) return before;
  const { id, createdAt } = before;
  const version = before.version + 1;
  const policy: Policy = { ...rule, id, ...declared, version, createdAt, updatedAt: tx.now };
  await policyRows.update(tx, policy);
  forgetPolicies(tx);
  await auditPolicy(ctx, tx, policy, "policy.updated", { version, changes }, origin);
  return policy;
}

/** Open requests keep the policy's requirements until `refreshRequirements` runs. */
export async function deletePolicyIn(
  ctx: Ctx,
  tx: Tx,
  policy: Policy,
  origin: Origin | null,
): Promise<void> {
  await policyRows.delete(tx, policy.id);
  forgetPolicies(tx);
  await auditPolicy(ctx, tx, policy, "policy.deleted", { ...ruleOf(policy) }, origin);
}

/** Shows which policy counts for an action, and why the policies before it do not. */
async function testPolicies({ core }: Ctx, serviceId: string, actionName: string) {
  const { read } = core.db;
  const { service, action } = await findTarget(read, serviceId, actionName);
  const labels = (await findServiceLabels(read, [service.id])).get(service.id) ?? {};
  const subject = { action: action.name, dangerLevel: action.dangerLevel, labels };
  let counting: Policy | null = null;
  const policies: TestedPolicy[] = [];
  for (const policy of await policiesInOrder(read)) {
    const { id: policyId, name, order } = policy;
    const reason = counting === null ? whyNotApplied(policy, subject) : null;
    const counts = counting === null && reason === null;
    if (counts) counting = policy;
    policies.push({ policyId, name, order, counts, reason });
  }
  return { policy: counting && (await toView(read, counting)), policies };
}

/** Replaces usernames with ids, so that a renamed user stays an approver. */
async function ruleFrom(tx: Tx, { approvers, ...rule }: PolicyInput): Promise<PolicyRule> {
  return withApprovers(rule, await approversFrom(tx, approvers));
}

async function approversFrom(tx: Tx, approvers: PolicyInput["approvers"]): Promise<Approvers> {
  if ("role" in approvers) return approvers;
  const ids = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, username] of approvers.users.entries()) {
    const user = await findUserByName(tx, username);
    if (user) ids.add(user.id);
    else issues.push({ path: `approvers.users.${index}`, message: `there is no user ${username}` });
  }
  if (issues.length > 0) throw validationFailed(issues);
  return { users: [...ids] };
}

function ruleOf(policy: PolicyRule): PolicyRule {
  return withApprovers(policy, policy.approvers);
}

async function requireFreeName(tx: Tx, name: string, ownId: string | null): Promise<void> {
  const holder = await findPolicyByName(tx, name);
  if (!holder || holder.id === ownId) return;
  const message = `The policy ${name} already exists.`;
  throw new AppError("APPROVAL_POLICY_NAME_TAKEN", message, { details: { policyId: holder.id } });
}

async function requirePolicy(db: Reader, id: string): Promise<Policy> {
  return found(await findPolicy(db, id), "APPROVAL_POLICY_NOT_FOUND", `approval policy ${id}`);
}

function auditPolicy(
  ctx: Ctx,
  tx: Tx,
  { id: targetId, name }: Policy,
  action: `policy.${"created" | "updated" | "deleted"}`,
  facts: object,
  origin: Origin | null,
): Promise<void> {
  const metadata = { name, ...facts, ...originFacts(origin) };
  return audit(ctx, tx, { action, targetId, metadata });
}

async function toView(db: Reader, policy: Policy): Promise<PolicyView> {
  const { id, name, description = null, order, selector = null, action = null } = policy;
  const { dangerLevel = null, approvals, approvers, expiresAfterSeconds, version } = policy;
  return {
    id,
    name,
    description,
    order,
    selector,
    action,
    dangerLevel,
    approvals,
    approvers: await namesOf(db, approvers),
    expiresAfterSeconds,
    declaredIn: declaredIn(policy),
    version,
    ...isoTimes(policy, "createdAt", "updatedAt"),
  };
}
