import { mayActAs, roleOf } from "../../../domain/access/principals.ts";
import { usernameKey } from "../../../domain/access/users.ts";
import { type Policy, type PolicyRule, withApprovers } from "../../../domain/approvals/policies.ts";
import { declaredBy } from "../../../domain/declarations.ts";
import type { Issue } from "../../../domain/errors.ts";
import { maxApprovalPolicies } from "../../../domain/limits.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import type { Reader } from "../../../store/database.ts";
import { listUsernames } from "../../../store/tables/access/users.ts";
import { policiesInOrder, policyRows } from "../../../store/tables/approvals/approval-policies.ts";
import {
  createPolicyIn,
  deletePolicyIn,
  type PolicyInput,
  updatePolicyIn,
} from "../../approvals/policies.ts";
import { labelWarnings } from "../../approvals/reported-labels.ts";
import type { Lookups } from "../../lookups.ts";
import { type Change, type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";
import { operatorLabelsAfter } from "./settings.ts";

type StoredPolicy = StoredRow & { policy: Policy };

interface Facts {
  rule: PolicyRule;
  /** The id of a new policy. */
  id: string;
}

export const approvalPolicyKind: Kind<DocumentOf<"ApprovalPolicy">, StoredPolicy, Facts> = {
  owned: true,
  most: maxApprovalPolicies,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const policies = await policiesInOrder(db);
    return policies.map((policy) => ({ ...storedOf(policy), policy }));
  },
  async issuesOf(lookups, { approvers }) {
    if ("role" in approvers || !mayKnowUsers(lookups)) return [];
    const { byKey } = await usersOf(lookups);
    await lookups.ctx.budget.spend(approvers.users.length);
    return approvers.users.flatMap((username, index): Issue[] =>
      byKey.has(usernameKey(username))
        ? []
        : [{ path: `approvers.users.${index}`, message: `there is no user ${username}` }],
    );
  },
  async warningsOf(lookups, { selector }, _, changes) {
    const operatorLabels = await operatorLabelsAfter(lookups, changes);
    return labelWarnings(lookups.db, "policy", selector, operatorLabels);
  },
  async compare(lookups, document, item) {
    const before = item && (await storedForm(lookups, item.policy));
    const { approvers } = document;
    if ("role" in approvers) {
      const after = formOf(document, approvers);
      return { before, after, isSame: jsonEqual(before, after) };
    }
    const { byKey } = await usersOf(lookups);
    // The names as they are stored, each once.
    const names = approvers.users.map((name) => byKey.get(usernameKey(name))?.username ?? name);
    const after = formOf(document, { users: [...new Set(names)] });
    return { before, after, isSame: jsonEqual(before, after) };
  },
  async factsOf(lookups, document) {
    return { rule: await ruleOf(lookups, document), id: lookups.ctx.core.newId("pol") };
  },
  formOf: (lookups, { policy }) => storedForm(lookups, policy),
  create: async (ctx, tx, _, { origin, facts: { rule, id } }) =>
    (await createPolicyIn(ctx, tx, rule, origin, id)).id,
  update: (ctx, tx, { policy }, _, { origin, facts: { rule } }) =>
    updatePolicyIn(ctx, tx, policy, rule, origin),
  noteFile: (tx, { id }, _, { file }) => policyRows.setFile(tx, id, file),
  delete: (ctx, tx, { policy }, { origin }) => deletePolicyIn(ctx, tx, policy, origin),
};

/** Returns the policies as they will be after these changes, in their order. */
export async function policiesAfter(
  lookups: Lookups,
  changes: readonly Change[],
): Promise<Policy[]> {
  const policies = new Map((await policiesInOrder(lookups.db)).map((each) => [each.id, each]));
  for (const { kind, change, item, facts } of changes) {
    if (kind !== "ApprovalPolicy" || change === "unchanged") continue;
    if (change === "deleted") {
      if (item?.id) policies.delete(item.id);
      continue;
    }
    const { rule, id } = facts as Facts;
    const before = (item as StoredPolicy | null)?.policy;
    const now = lookups.ctx.core.now();
    const made = { id, ...declaredBy(null), createdAt: now, updatedAt: now, version: 0, ...before };
    policies.set(made.id, { ...made, ...rule, version: made.version + 1 });
  }
  return [...policies.values()].toSorted(
    (one, other) => one.order - other.order || (one.id < other.id ? -1 : 1),
  );
}

interface KnownUser {
  id: string;
  username: string;
}

interface Users {
  byKey: ReadonlyMap<string, KnownUser>;
  byId: ReadonlyMap<string, KnownUser>;
}

/** Whether the caller may learn which users exist. */
function mayKnowUsers({ ctx }: Lookups): boolean {
  return mayActAs(roleOf(ctx.principal), "owner");
}

/** For callers who are not owners, finds only users whom a stored policy names. */
function usersOf(lookups: Lookups): Promise<Users> {
  const { once, ctx, db } = lookups;
  return once("users", async () => {
    const all = await listUsernames(db);
    await ctx.budget.spend(all.length);
    const named = mayKnowUsers(lookups) ? null : await approversNamedIn(db);
    const users = named === null ? all : all.filter(({ id }) => named.has(id));
    return {
      byKey: new Map(users.map((user) => [usernameKey(user.username), user])),
      byId: new Map(users.map((user) => [user.id, user])),
    };
  });
}

async function approversNamedIn(db: Reader): Promise<ReadonlySet<string>> {
  const policies = await policiesInOrder(db);
  return new Set(
    policies.flatMap(({ approvers }) => ("users" in approvers ? approvers.users : [])),
  );
}

/** The users are stored by their ids, so that a renamed user stays an approver. */
async function ruleOf(
  lookups: Lookups,
  { kind: _, approvers, ...rule }: DocumentOf<"ApprovalPolicy">,
): Promise<PolicyRule> {
  if ("role" in approvers) return withApprovers(rule, approvers);
  const { byKey } = await usersOf(lookups);
  const ids = approvers.users.flatMap((name) => byKey.get(usernameKey(name))?.id ?? []);
  return withApprovers(rule, { users: [...new Set(ids)] });
}

/**
 * Returns the declared form of a policy, with the names of its users. Deleted users are left out.
 */
async function storedForm(lookups: Lookups, policy: Policy): Promise<JsonObject> {
  const { approvers } = policy;
  if ("role" in approvers) return formOf(policy, approvers);
  const { byId } = await usersOf(lookups);
  const users = approvers.users.flatMap((id) => byId.get(id)?.username ?? []);
  await lookups.ctx.budget.spend(approvers.users.length);
  return formOf(policy, { users });
}

function formOf(
  rule: Omit<PolicyInput, "approvers"> | Omit<Policy, "approvers">,
  approvers: PolicyInput["approvers"],
): JsonObject {
  return JSON.parse(JSON.stringify(withApprovers(rule, approvers)));
}
