// Lists and ends a user's sessions; sessions.ts starts and checks them.

import type { UserPrincipal } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import { isoTimes } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import {
  deleteSessionOf,
  deleteSessionsOf,
  listSessionsOf,
} from "../../store/tables/access/sessions.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";

export async function listSessions(ctx: Ctx, userId: string) {
  const { core, principal } = ctx;
  const ownId = principal.kind === "user" ? principal.sessionId : null;
  const sessions = await listSessionsOf(core.db.read, userId, core.now());
  return sessions.map((session) => ({
    ...session,
    current: session.id === ownId,
    ...isoTimes(session, "createdAt", "lastUsedAt", "expiresAt"),
  }));
}

export function listOwnSessions(ctx: Ctx) {
  return listSessions(ctx, requireUser(ctx).userId);
}

export async function endOwnSession(ctx: Ctx, id: string): Promise<{ ended: number }> {
  const user = requireUser(ctx);
  return ctx.core.db.write(async (tx) => {
    if (!(await deleteSessionOf(tx, user.userId, id))) {
      throw new AppError("SESSION_NOT_FOUND", `You have no session ${id}.`);
    }
    await auditEnd(ctx, tx, user, { ended: 1, sessionId: id });
    return { ended: 1 };
  });
}

export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const user = requireUser(ctx);
  return ctx.core.db.write(async (tx) => {
    const ended = await deleteSessionsOf(tx, user.userId, user.sessionId);
    if (ended > 0) await auditEnd(ctx, tx, user, { ended });
    return { ended };
  });
}

/** Throws FORBIDDEN for callers without a session. */
export function requireUser({ principal }: Ctx, message = "Only a signed-in user has sessions.") {
  if (principal.kind === "user") return principal;
  throw new AppError("FORBIDDEN", message);
}

function auditEnd(ctx: Ctx, tx: Tx, user: UserPrincipal, facts: object): Promise<void> {
  const { userId: targetId, username } = user;
  const metadata = { username, ...facts };
  return auditRepeated(ctx, tx, { action: "user.sessions.revoked", targetId, metadata });
}
