// The only place that permits an action to run. Each ACTION_EXECUTE command needs a permit. It is
// issued in the transaction that creates the command, and depends on the policies and users at that
// time.
// (docs/decisions/0025-approvals.md)

import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import type { User } from "../../domain/access/users.ts";
import { type Requirement, unmetRequirements } from "../../domain/approvals/approvals.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findUser } from "../../store/tables/access/users.ts";
import { findApproval, listDecisions } from "../../store/tables/approvals/approvals.ts";
import type { Ctx } from "../context.ts";
import type { ActionTarget } from "../presence/action-targets.ts";
import { type ActionOnService, approvalRequired, type Demand, demandFor } from "./demands.ts";
import { principalNow } from "./requesters.ts";

/** The reason why an action may run although policies demand approval. */
export type Basis =
  /** Nobody has approved it, so it runs only if policies demand nothing. */
  | { kind: "none" }
  /** These users have approved it. They are compared with what policies demand now. */
  | Approved
  /** An owner has bypassed approval. */
  | { kind: "bypass"; approvalId: string };

interface Approved {
  kind: "approved";
  approvalId: string;
  /** The users who approved, with their present states and roles. */
  approvedBy: readonly User[];
  /** The ids of users whose approval does not count. */
  requesters: readonly (string | null)[];
}

export const noBasis: Basis = { kind: "none" };

/** What policies demand, and the part of it that the basis does not satisfy. */
export interface NeedsApproval {
  demand: Demand;
  unmet: Requirement[];
}

class CommandPermit {
  readonly #tx: Tx;
  readonly #target: ActionTarget;
  /** The request for approval on which the permit is based, or null. */
  readonly approvalId: string | null;

  constructor(tx: Tx, target: ActionTarget, approvalId: string | null) {
    this.#tx = tx;
    this.#target = target;
    this.approvalId = approvalId;
  }

  /** Throws if the permit was given for a different command. */
  requireFor(tx: Tx, command: { agentId: string; serviceId: string; action: string }): void {
    const { service, action } = this.#target;
    const isSame =
      tx === this.#tx &&
      command.agentId === service.agentId &&
      command.serviceId === service.id &&
      command.action === action.name;
    if (!isSame) throw new Error(`a permit for ${action.name} on ${service.code} was misused`);
  }
}

/** Only this file can create one. */
export type Permit = CommandPermit;

/** Returns a NeedsApproval instead if the basis does not satisfy what policies demand. */
export async function permitNow(
  tx: Tx,
  target: ActionTarget,
  basis: Basis,
): Promise<Permit | NeedsApproval> {
  const { service, action } = target;
  const hold = await approvalNeeded(tx, [{ serviceId: service.id, action }], basis);
  return hold ?? new CommandPermit(tx, target, basis.kind === "none" ? null : basis.approvalId);
}

/** Throws APPROVAL_REQUIRED with the advice. */
export async function requirePermit(
  tx: Tx,
  target: ActionTarget,
  basis: Basis,
  advice: string,
): Promise<Permit> {
  const permit = await permitNow(tx, target, basis);
  if (isPermit(permit)) return permit;
  throw approvalRequired(permit.demand, advice);
}

export function isPermit(verdict: Permit | NeedsApproval): verdict is Permit {
  return verdict instanceof CommandPermit;
}

/** Returns null if all of the actions may run. */
export async function approvalNeeded(
  db: Reader,
  targets: readonly ActionOnService[],
  basis: Basis,
): Promise<NeedsApproval | null> {
  return basis.kind === "bypass" ? null : neededFor(await demandFor(db, targets), basis);
}

/** Returns null if the basis satisfies the demand. */
export function neededFor(demand: Demand | null, basis: Basis): NeedsApproval | null {
  if (basis.kind === "bypass" || demand === null) return null;
  const [approvedBy, requesters] =
    basis.kind === "approved" ? [basis.approvedBy, basis.requesters] : [[], []];
  const unmet = unmetRequirements(demand.requirements, approvedBy, requesters);
  return unmet.length === 0 ? null : { demand, unmet };
}

/**
 * Returns a permit for an owner who bypasses approval. The caller must also call `recordBypass`.
 */
export function permitBypass({ principal }: Ctx, tx: Tx, target: ActionTarget): Permit {
  if (!mayActAs(roleOf(principal), "owner")) throw new Error("only an owner can bypass policies");
  return new CommandPermit(tx, target, null);
}

/**
 * Returns what an ended request permits now. An approval counts only while its user may give it. A
 * bypass counts only while its user is an owner or, if it was made with a key that belongs to no
 * user, while this key works.
 */
export async function basisOfRequest(
  db: Reader,
  approvalId: string | null,
  now: number,
): Promise<Basis> {
  const approval = approvalId === null ? null : await findApproval(db, approvalId);
  if (approval === null) return noBasis;
  const { id, state, requester } = approval;
  if (state === "BYPASSED") {
    const kind = requester.userId === null ? requester.kind : "user";
    const principal = await principalNow(db, { ...requester, kind }, now);
    const isOwner = typeof principal !== "string" && mayActAs(roleOf(principal), "owner");
    return isOwner ? { kind: "bypass", approvalId: id } : noBasis;
  }
  if (state !== "APPROVED") return noBasis;
  const approvedBy = await approversIn(db, await listDecisions(db, id));
  const requesters = [requester.userId, requester.makerId];
  return { kind: "approved", approvalId: id, approvedBy, requesters };
}

/** Returns the users who approved, as they are now. Deleted users are left out. */
export async function approversIn(
  db: Reader,
  decisions: readonly { userId: string; decision: "APPROVE" | "REJECT" }[],
): Promise<User[]> {
  const users: User[] = [];
  for (const { userId, decision } of decisions) {
    const user = decision === "APPROVE" ? await findUser(db, userId) : null;
    if (user) users.push(user);
  }
  return users;
}
