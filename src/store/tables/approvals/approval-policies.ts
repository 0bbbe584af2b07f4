import type { Policy, PolicyScope } from "../../../domain/approvals/policies.ts";
import type { Reader } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { countOf, declaredRows, finder, pageOf } from "../../rows.ts";

interface PolicyRow extends Omit<Policy, keyof PolicyScope | "description" | "approvers"> {
  description: string | null;
  rule: string;
  approvers: string;
}

const columns = `id, name, description, sort_order AS "order", rule, approvals, approvers,
  expires_after_seconds AS "expiresAfterSeconds", declared, declared_file AS "declaredFile", version, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const select = `SELECT ${columns} FROM approval_policies`;

export const findPolicy = finder(`${select} WHERE id = ?`, toPolicy);

export const findPolicyByName = finder(`${select} WHERE name = ?`, toPolicy);

interface PolicyFilter extends Page {
  /** Matches a part of the name. */
  q?: string | undefined;
}

export function listPolicies(db: Reader, filter: PolicyFilter): Promise<Listed<Policy>> {
  const filters = new Filters().search(["name"], filter.q);
  return pageOf(db, [columns, "approval_policies", "id"], filters, filter, toPolicy, sorts);
}

const sorts: Sorts = {
  order: "sort_order",
  name: "name",
  updatedAt: "updated_at",
  createdAt: "id",
};

/** Returns all policies, in the order in which they are checked. */
export async function policiesInOrder(db: Reader): Promise<Policy[]> {
  const rows = await db.all<PolicyRow>(`${select} ORDER BY sort_order, id`);
  return rows.map(toPolicy);
}

export function countPolicies(db: Reader): Promise<number> {
  return countOf(db, "approval_policies", new Filters());
}

export const policyRows = declaredRows(
  "approval_policies",
  [
    "name description sort_order rule approvals approvers expires_after_seconds declared declared_file version",
    "updated_at",
  ],
  "created_at id",
  toRow,
);

function toRow({ selector, action, dangerLevel, order, description, ...policy }: Policy) {
  return {
    ...policy,
    description: description ?? null,
    sortOrder: order,
    rule: JSON.stringify({ selector, action, dangerLevel }),
    approvers: JSON.stringify(policy.approvers),
  };
}

function toPolicy({ rule, approvers, description, ...row }: PolicyRow): Policy {
  return {
    ...row,
    ...(description === null ? {} : { description }),
    ...(JSON.parse(rule) as PolicyScope),
    approvers: JSON.parse(approvers),
  };
}
