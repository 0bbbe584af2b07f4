// Decides whether something needs approval, and whether its caller may ask for it or do without.
// (docs/decisions/0025-approvals.md)

import type { Requester } from "../../domain/approvals/approvals.ts";
import type { Policy } from "../../domain/approvals/policies.ts";
import { AppError } from "../../domain/errors.ts";
import { mayActAs, roleOf } from "../../domain/principals.ts";
import type { ActionEntry } from "../../domain/services.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findApiKey } from "../../store/tables/api-keys.ts";
import { policiesInOrder } from "../../store/tables/approval-policies.ts";
import { findServiceLabels } from "../../store/tables/services.ts";
import { findUser } from "../../store/tables/users.ts";
import { noteRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";
import { Demand, type Needed } from "./demand.ts";

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
export interface GateTarget {
  serviceId: string;
  action: Pick<ActionEntry, "name" | "dangerLevel">;
}

/**
 * Returns what policies demand for an action on one service, or for a rollout on many; null if they
 * demand nothing. Without policies, this costs one read for each group of writes.
 */
export async function neededFor(
  db: Reader | Tx,
  targets: readonly GateTarget[],
): Promise<Needed | null> {
  const policies = await currentPolicies(db);
  if (policies.length === 0) return null;
  const demand = new Demand(policies);
  const kinds = new Map(
    targets.map(({ action }) => [`${action.dangerLevel} ${action.name}`, action]),
  );
  const mayFit = [...kinds.values()].some(({ name, dangerLevel }) =>
    demand.mayFit({ action: name, dangerLevel }),
  );
  if (!mayFit) return null;
  const labels = demand.dependsOnLabels
    ? await findServiceLabels(db, [...new Set(targets.map(({ serviceId }) => serviceId))])
    : new Map<string, Record<string, string>>();
  for (const { serviceId, action } of targets) {
    const { name, dangerLevel } = action;
    demand.add({ action: name, dangerLevel, labels: labels.get(serviceId) ?? {} });
  }
  return demand.needed;
}

/**
 * Call before the transaction of anything that takes `breakGlass`. Throws FORBIDDEN if the caller is
 * not an owner, and records that in the audit trail.
 */
export async function requireMayBypass(ctx: Ctx, breakGlass: string | undefined): Promise<void> {
  if (breakGlass === undefined || mayActAs(roleOf(ctx.principal), "owner")) return;
  await noteRepeated(
    ctx,
    {
      action: "approval.refused",
      targetId: null,
      result: "DENIED",
      message: breakGlass,
      metadata: { code: "FORBIDDEN", tried: "bypass" },
    },
    "bypass",
  );
  throw new AppError("FORBIDDEN", "Only an owner can run something without approval.", {
    details: { needed: "owner" },
  });
}

/** What happens with something that policies may hold back. */
export type Permit =
  /** It runs, because no policy demands anything. */
  | { kind: "free" }
  /** It runs without approval: record it with `recordBypass`. */
  | { kind: "bypass"; needed: Needed; why: string; requester: Requester }
  /** It waits: store the request with `openRequest`. */
  | { kind: "ask"; needed: Needed; requester: Requester };

/** Throws APPROVAL_REQUIRED if the caller cannot ask, because no user is known. */
export async function permitFor(
  ctx: Ctx,
  tx: Tx,
  needed: Needed | null,
  breakGlass: string | undefined,
): Promise<Permit> {
  if (needed === null) return { kind: "free" };
  const requester = await requesterOf(ctx, tx);
  if (breakGlass !== undefined && requester !== null) {
    return { kind: "bypass", needed, why: breakGlass, requester };
  }
  if (requester?.userId) return { kind: "ask", needed, requester };
  throw approvalRequired(needed, adviceFor(ctx));
}

function adviceFor({ principal }: Ctx): string {
  if (principal.kind === "local") {
    return "A command that works on the database cannot ask for it: ask through the API, or use --break-glass.";
  }
  if (principal.kind === "apiKey") {
    return "This API key belongs to no user, so it cannot ask for it: use a user's key.";
  }
  return "Nobody is here to ask for it.";
}

export function approvalRequired({ requirements }: Needed, advice: string): AppError {
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

const requesters = new WeakMap<Tx, Promise<Requester | null>>();

/** Returns null for agents and the service itself. A transaction has one caller, who is read once. */
export function requesterOf(ctx: Ctx, tx: Tx): Promise<Requester | null> {
  const known = requesters.get(tx);
  if (known !== undefined) return known;
  const found = readRequester(ctx, tx);
  requesters.set(tx, found);
  return found;
}

async function readRequester({ principal }: Ctx, tx: Tx): Promise<Requester | null> {
  switch (principal.kind) {
    case "user": {
      const { userId, username: name } = principal;
      const displayName = (await findUser(tx, userId))?.displayName ?? null;
      return { kind: "user", userId, keyId: null, name, displayName };
    }
    case "apiKey": {
      const key = await findApiKey(tx, principal.keyId);
      const { keyId, name } = principal;
      const { userId = null, displayName = null } = key ?? {};
      return { kind: "apiKey", userId, keyId, name, displayName };
    }
    case "local":
      return {
        kind: "local",
        userId: null,
        keyId: null,
        name: principal.osUser,
        displayName: null,
      };
    default:
      return null;
  }
}
