// Some work is done later in the name of a user, who must then still be allowed to run actions.

import { apiKeyStatus } from "../../domain/access/api-keys.ts";
import { mayActAs, type Principal, roleOf } from "../../domain/access/principals.ts";
import type { Approval, Requester } from "../../domain/approvals/approvals.ts";
import type { Reader, Tx } from "../../store/database.ts";
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
  if (requester.userId === null)
    return `Only users can make requests, and ${requester.name} is not a user.`;
  const principal = await principalNow(tx, requester, tx.now);
  if (typeof principal === "string") return principal;
  return { ...systemContext(ctx.core), requestId: ctx.requestId, principal };
}

/** Returns the requester as a principal, or the reason why the requester may not run anything. */
export async function principalNow(
  db: Reader,
  { kind, userId, keyId, name }: Pick<Requester, "kind" | "userId" | "keyId" | "name">,
  now: number,
): Promise<Principal | string> {
  if (kind === "local") return { kind, osUser: name };
  if (kind === "user" || userId !== null) {
    const user = userId === null ? null : await findUser(db, userId);
    if (!user) return `The user who made the request (${name}) was deleted.`;
    const { username, role } = user;
    if (user.status !== "ACTIVE") return `The user ${username} is disabled.`;
    if (!mayActAs(role, "operator")) return `The user ${username} is no longer an operator.`;
    if (kind === "user") return { kind, userId: user.id, username, role, sessionId: "" };
  }
  const key = keyId === null ? null : await findApiKey(db, keyId);
  if (!key || apiKeyStatus(key, now) !== "ACTIVE") {
    return `The API key ${key?.name ?? name} that made the request no longer works.`;
  }
  const { id, role, makerId } = key;
  const principal = { kind, keyId: id, name: key.name, role, userId: key.userId, makerId };
  if (mayActAs(roleOf(principal), "operator")) return principal;
  return `The API key ${key.name} may not run anything.`;
}
