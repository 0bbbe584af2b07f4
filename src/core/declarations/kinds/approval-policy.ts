import type { Policy } from "../../../domain/approvals/policies.ts";
import type { Issue } from "../../../domain/errors.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import type { Reader } from "../../../store/database.ts";
import { policiesInOrder, setPolicyFile } from "../../../store/tables/approval-policies.ts";
import { findUserByName } from "../../../store/tables/users.ts";
import {
  createPolicyIn,
  deletePolicyIn,
  type PolicyInput,
  updatePolicyIn,
  warningsOf,
} from "../../approvals/policies.ts";
import { namesOf } from "../../approvals/views.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";

type StoredPolicy = StoredRow & { policy: Policy };

export const approvalPolicyKind: Kind<DocumentOf<"ApprovalPolicy">, StoredPolicy> = {
  owned: true,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const policies = await policiesInOrder(db);
    return policies.map((policy) => ({ ...storedOf(policy), policy }));
  },
  async issuesOf(_, db, { approvers }) {
    if ("role" in approvers) return [];
    const issues: Issue[] = [];
    for (const [index, username] of approvers.users.entries()) {
      if (await findUserByName(db, username)) continue;
      const path = `approvers.users.${index}`;
      issues.push({ path, message: `there is no user ${username}` });
    }
    return issues;
  },
  warningsOf: (ctx, _, document) => warningsOf(ctx, document),
  async compare(_, db, document, item) {
    const before = item && (await storedForm(db, item.policy));
    const after = formOf(document, await knownNames(db, document.approvers));
    return { before, after, isSame: jsonEqual(before, after) };
  },
  formOf: (db, { policy }) => storedForm(db, policy),
  create: async (ctx, tx, document, { origin }) =>
    (await createPolicyIn(ctx, tx, inputOf(document), origin)).id,
  update: (ctx, tx, { policy }, document, { origin }) =>
    updatePolicyIn(ctx, tx, policy, inputOf(document), origin),
  noteFile: (tx, { id }, _, { file }) => setPolicyFile(tx, { id, declaredFile: file }),
  delete: (ctx, tx, { policy }, origin) => deletePolicyIn(ctx, tx, policy, origin),
};

type Approvers = PolicyInput["approvers"];

function inputOf({ kind: _, ...input }: DocumentOf<"ApprovalPolicy">): PolicyInput {
  return input;
}

/** The names as they are stored, each once. */
async function knownNames(db: Reader, approvers: Approvers): Promise<Approvers> {
  if ("role" in approvers) return approvers;
  const names = new Set<string>();
  for (const name of approvers.users) {
    names.add((await findUserByName(db, name))?.username ?? name);
  }
  return { users: [...names] };
}

async function storedForm(db: Reader, policy: Policy): Promise<JsonObject> {
  return formOf(policy, await namesOf(db, policy.approvers));
}

function formOf(
  rule: Omit<PolicyInput, "approvers"> | Omit<Policy, "approvers">,
  approvers: Approvers,
): JsonObject {
  const { name, description, order, selector, action, dangerLevel, approvals } = rule;
  const { expiresAfterSeconds } = rule;
  const form = {
    ...{ name, description, order, selector, action, dangerLevel, approvals },
    ...{ approvers, expiresAfterSeconds },
  };
  return JSON.parse(JSON.stringify(form));
}
