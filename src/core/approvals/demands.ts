// What approval policies demand for actions that are about to run.
// (docs/decisions/0025-approvals.md)

import type { Requirement } from "../../domain/approvals/approvals.ts";
import type { Policy } from "../../domain/approvals/policies.ts";
import { AppError } from "../../domain/errors.ts";
import type { ActionEntry } from "../../domain/fleet/services.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { oncePerTx } from "../../store/once-per-tx.ts";
import { policiesInOrder } from "../../store/tables/approvals/approval-policies.ts";
import { findServiceLabels } from "../../store/tables/fleet/services.ts";
import { findSetting } from "../../store/tables/settings.ts";
import { FittingPolicies } from "./fitting-policies.ts";

const policiesOf = oncePerTx<readonly Policy[]>(policiesInOrder);
const operatorLabelsOf = oncePerTx(readOperatorLabels);

function readOperatorLabels(db: Reader): Promise<string[] | undefined> {
  return findSetting(db, "operatorLabels");
}

/** Returns all policies in their order. */
export function currentPolicies(db: Reader): Promise<readonly Policy[]> {
  return policiesOf.get(db);
}

/** What decides what is demanded, besides the action and the labels of its service. */
export interface PoliciesInForce {
  /** In their order. */
  policies: readonly Policy[];
  /** Reported labels with these keys are not seen by policies. */
  operatorLabels: readonly string[];
}

export async function policiesInForce(db: Reader): Promise<PoliciesInForce> {
  const policies = await currentPolicies(db);
  if (policies.length === 0) return { policies, operatorLabels: [] };
  return { policies, operatorLabels: (await operatorLabelsOf.get(db)) ?? [] };
}

/**
 * Must be called after each change of the policies or of the setting `operatorLabels`, in its
 * transaction.
 */
export function forgetPolicies(tx: Tx): void {
  policiesOf.forget(tx);
  operatorLabelsOf.forget(tx);
}

/** An action that is about to run on a service. */
export interface ActionOnService {
  serviceId: string;
  action: Pick<ActionEntry, "name" | "dangerLevel">;
}

/** What policies demand before something may run. */
export interface Demand {
  /**
   * One for each policy that is the first to apply to any of the targets. All must be satisfied.
   */
  requirements: Requirement[];
  /** The shortest `expiresAfterSeconds` of these policies. */
  expiresAfterSeconds: number;
}

/**
 * Returns what policies demand for an action on one service, or for a rollout on many; null if they
 * demand nothing. Without policies, this costs one read per transaction.
 */
export async function demandFor(
  db: Reader,
  targets: readonly ActionOnService[],
): Promise<Demand | null> {
  const policies = await currentPolicies(db);
  if (policies.length === 0) return null;
  const fitting = new FittingPolicies(policies);
  const kinds = new Map(
    targets.map(({ action }) => [`${action.dangerLevel} ${action.name}`, action]),
  );
  const mayFit = [...kinds.values()].some(({ name, dangerLevel }) =>
    fitting.mayFit({ action: name, dangerLevel }),
  );
  if (!mayFit) return null;
  const labels = fitting.dependsOnLabels
    ? await findServiceLabels(db, [...new Set(targets.map(({ serviceId }) => serviceId))])
    : new Map<string, Record<string, string>>();
  for (const { serviceId, action } of targets) {
    const { name, dangerLevel } = action;
    fitting.add({ action: name, dangerLevel, labels: labels.get(serviceId) ?? {} });
  }
  return fitting.demand;
}

/** What policies demand, determined before the transaction that relies on it. */
export interface StampedDemand {
  demand: Demand | null;
  /** Identifies what the demand depends on (`stampOf`). */
  stamp: string;
}

/** Returns a string that changes when any policy or the setting changes. */
export function stampOf({ policies, operatorLabels }: PoliciesInForce): string {
  if (policies.length === 0) return "";
  return JSON.stringify([policies.map(({ id, version }) => `${id} ${version}`), operatorLabels]);
}

export function approvalRequired({ requirements }: Demand, advice: string): AppError {
  const policies = requirements.map(({ policyName }) => policyName);
  const message = `${policyNames(policies)} approval. ${advice}`;
  return new AppError("APPROVAL_REQUIRED", message, { details: { policies } });
}

/** Returns, for example, `The policies a and b require`. */
export function policyNames(names: readonly string[]): string {
  return names.length === 1
    ? `The policy ${names[0]} requires`
    : `The policies ${names.slice(0, -1).join(", ")} and ${names.at(-1)} require`;
}
