// What approval policies demand for actions that are about to run.
// (docs/decisions/0025-approvals.md)

import type { Requirement } from "../../domain/approvals/approvals.ts";
import { requirementOf } from "../../domain/approvals/approvals.ts";
import { firstFit, misfitOf, type Policy } from "../../domain/approvals/policies.ts";
import { AppError } from "../../domain/errors.ts";
import type { ActionEntry } from "../../domain/services.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { policiesInOrder } from "../../store/tables/approval-policies.ts";
import { findServiceLabels } from "../../store/tables/services.ts";

const policiesKey = Symbol("approval policies");

/** Returns all policies in their order. In a transaction, they are read once for its whole group. */
export async function currentPolicies(db: Reader | Tx): Promise<readonly Policy[]> {
  if (!("shared" in db)) return policiesInOrder(db);
  const { policies } = await db.shared(policiesKey, async () => ({
    policies: await policiesInOrder(db),
  }));
  return policies;
}

/** Must be called after each change of the policies, in its transaction. */
export function forgetPolicies(tx: Tx): void {
  tx.forgetShared(policiesKey);
}

/** An action of a service that is about to run. */
export interface ActionOnService {
  serviceId: string;
  action: Pick<ActionEntry, "name" | "dangerLevel">;
}

/** What policies demand before something may run. */
export interface Demand {
  /** One for each policy that is the first to fit any of the targets. All must be satisfied. */
  requirements: Requirement[];
  /** The shortest time of these policies. */
  expiresAfterSeconds: number;
}

/**
 * Returns what policies demand for an action on one service, or for a rollout on many; null if they
 * demand nothing. Without policies, this costs one read for each group of writes.
 */
export async function demandFor(
  db: Reader | Tx,
  targets: readonly ActionOnService[],
): Promise<Demand | null> {
  const policies = await currentPolicies(db);
  if (policies.length === 0) return null;
  const kinds = new Map(
    targets.map(({ action }) => [`${action.dangerLevel} ${action.name}`, action]),
  );
  const mayFit = policies.filter((policy) =>
    [...kinds.values()].some(
      ({ name, dangerLevel }) =>
        misfitOf({ ...policy, selector: undefined }, { action: name, dangerLevel, labels: {} }) ===
        null,
    ),
  );
  if (mayFit.length === 0) return null;
  const counting = new Set<Policy>();
  const known = new Map<string, Policy | null>();
  const labels = mayFit.some(({ selector }) => selector !== undefined)
    ? await findServiceLabels(db, [...new Set(targets.map(({ serviceId }) => serviceId))])
    : new Map<string, Record<string, string>>();
  for (const { serviceId, action } of targets) {
    const subject = {
      action: action.name,
      dangerLevel: action.dangerLevel,
      labels: labels.get(serviceId) ?? {},
    };
    // Thousands of services have few different labels.
    const text = JSON.stringify(subject);
    const before = known.get(text);
    const policy = before === undefined ? firstFit(mayFit, subject) : before;
    known.set(text, policy);
    if (policy) counting.add(policy);
  }
  if (counting.size === 0) return null;
  const inOrder = policies.filter((policy) => counting.has(policy));
  return {
    requirements: inOrder.map(requirementOf),
    expiresAfterSeconds: Math.min(...inOrder.map((each) => each.expiresAfterSeconds)),
  };
}

export function approvalRequired({ requirements }: Demand, advice: string): AppError {
  const policies = requirements.map(({ policyName }) => policyName);
  const message = `${policyNames(policies)} approval. ${advice}`;
  return new AppError("APPROVAL_REQUIRED", message, { details: { policies } });
}

/** For example `The policies a and b require`. */
export function policyNames(names: readonly string[]): string {
  return names.length === 1
    ? `The policy ${names[0]} requires`
    : `The policies ${names.slice(0, -1).join(", ")} and ${names.at(-1)} require`;
}
