// When a request is approved, its requester must still be allowed to run actions.

import { apiKeyStatus } from "../../domain/access/api-keys.ts";
import { mayActAs, type Principal, type Role, roleOf } from "../../domain/access/principals.ts";
import type { Approval } from "../../domain/approvals/approvals.ts";
import type { Tx } from "../../store/database.ts";
import { findApiKey } from "../../store/tables/access/api-keys.ts";
import { findUser } from "../../store/tables/access/users.ts";
import { type Ctx, systemContext } from "../context.ts";

/**
 * Returns a context for the requester, or the reason why the requester may no longer run anything.
 */
export async function requesterContext(
  ctx: Ctx,
  tx: Tx,
  { requester }: Approval,
): Promise<Ctx | string> {
  const user = requester.userId === null ? null : await findUser(tx, requester.userId);
  const { name } = requester;
  if (!user) return `The user who made the request (${name}) was deleted.`;
  if (user.status !== "ACTIVE") return `The user ${user.username} is disabled.`;
  if (!mayActAs(user.role, "operator")) {
    return `The user ${user.username} is no longer an operator.`;
  }
  const principal = await principalOf(tx, requester, user);
  if (typeof principal === "string") return principal;
  return { ...systemContext(ctx.core), requestId: ctx.requestId, principal };
}

async function principalOf(
  tx: Tx,
  { kind, keyId }: Approval["requester"],
  { id, username, role }: { id: string; username: string; role: Role },
): Promise<Principal | string> {
  if (kind !== "apiKey" || keyId === null) {
    return { kind: "user", userId: id, username, role, sessionId: "" };
  }
  const key = await findApiKey(tx, keyId);
  if (!key || apiKeyStatus(key, tx.now) !== "ACTIVE") {
    return `The API key ${key?.name ?? keyId} that made the request no longer works.`;
  }
  const principal = { kind: "apiKey", keyId, name: key.name, role: key.role } as const;
  if (mayActAs(roleOf(principal), "operator")) return principal;
  return `The API key ${key.name} may not run anything.`;
}
