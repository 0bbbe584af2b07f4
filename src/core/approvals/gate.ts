// Decides what happens to a call that policies hold back: the call asks for approval or, if an
// owner gives a reason, runs without approval. (docs/decisions/0025-approvals.md)

import { mayActAs, type Principal, roleOf } from "../../domain/access/principals.ts";
import type { Requester } from "../../domain/approvals/approvals.ts";
import { AppError } from "../../domain/errors.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import type { Tx } from "../../store/database.ts";
import { oncePerTx } from "../../store/once-per-tx.ts";
import { findUser } from "../../store/tables/access/users.ts";
import { noteRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";
import { approvalRequired, type Demand } from "./demands.ts";
import type { NeedsApproval } from "./permits.ts";

/**
 * Call this before the transaction of any use case that takes `breakGlass`. If a caller who is not
 * an owner gives it, records that in the audit trail and throws FORBIDDEN.
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

/** The call runs without approval: record it with `recordBypass`. */
export interface Bypass {
  kind: "bypass";
  demand: Demand;
  why: string;
  requester: Requester;
}

/** How a call that is held back can continue. */
type AskOrBypass =
  | Bypass
  /** The call asks for approval: store the request with `openRequest`. */
  | { kind: "ask"; demand: Demand; requester: Requester };

/** Throws APPROVAL_REQUIRED if the caller is not a user or a user's API key, and so cannot ask. */
export async function askOrBypass(
  ctx: Ctx,
  tx: Tx,
  { demand }: NeedsApproval,
  breakGlass: string | undefined,
): Promise<AskOrBypass> {
  const requester = await requesterOf(ctx, tx);
  if (breakGlass !== undefined && requester !== null) {
    return { kind: "bypass", demand, why: redactText(breakGlass), requester };
  }
  if (requester?.userId) return { kind: "ask", demand, requester };
  throw approvalRequired(demand, adviceFor(ctx));
}

export const saveAgain = "Save the schedule again to ask for it.";

function adviceFor({ principal }: Ctx): string {
  if (principal.kind === "local") {
    return "A command that works on the database cannot ask for it: ask through the API, or use --break-glass.";
  }
  if (principal.kind === "apiKey") {
    return "This API key belongs to no user, so it cannot ask for it: use a user's key.";
  }
  // The service itself, in a run at the due time of a schedule.
  return saveAgain;
}

/** A transaction can have several callers: those of a batch, or a requester and an approver. */
const requesters = oncePerTx(async () => new Map<Principal, Promise<Requester | null>>());

/** Returns null for agents and the service itself. Each caller is read once per transaction. */
export async function requesterOf({ principal }: Ctx, tx: Tx): Promise<Requester | null> {
  const byPrincipal = await requesters.get(tx);
  const requester = byPrincipal.get(principal) ?? readRequester(principal, tx);
  byPrincipal.set(principal, requester);
  return requester;
}

async function readRequester(principal: Principal, tx: Tx): Promise<Requester | null> {
  switch (principal.kind) {
    case "user": {
      const { userId, username: name } = principal;
      const displayName = (await findUser(tx, userId))?.displayName ?? null;
      return { kind: "user", userId, keyId: null, makerId: null, name, displayName };
    }
    case "apiKey": {
      const { keyId, name, userId, makerId } = principal;
      const user = userId === null ? null : await findUser(tx, userId);
      const displayName = user?.displayName ?? null;
      return { kind: "apiKey", userId, keyId, makerId, name, displayName };
    }
    case "local":
      return {
        kind: "local",
        userId: null,
        keyId: null,
        makerId: null,
        name: principal.osUser,
        displayName: null,
      };
    default:
      return null;
  }
}
