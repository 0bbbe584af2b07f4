// The sessions of a user, as that user or an owner sees and ends them. How a session begins and what it is
// worth is in sessions.ts.

import { AppError } from "../../domain/errors.ts";
import type { UserPrincipal } from "../../domain/principals.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { deleteSessionOf, deleteSessionsOf, listSessionsOf } from "../../store/tables/sessions.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import type { Ctx } from "../context.ts";

export async function listSessions(ctx: Ctx, userId: string) {
  const { core, principal } = ctx;
  const ownId = principal.kind === "user" ? principal.sessionId : null;
  const sessions = await listSessionsOf(core.db.read, userId, core.now());
  return sessions.map((session) => ({
    ...session,
    current: session.id === ownId,
    createdAt: isoTime(session.createdAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    expiresAt: isoTime(session.expiresAt),
  }));
}

/** Throws FORBIDDEN for callers without a session. */
export function listOwnSessions(ctx: Ctx) {
  return listSessions(ctx, requireUser(ctx).userId);
}

/** Throws FORBIDDEN for callers without a session, SESSION_NOT_FOUND for anybody else's. */
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

/** Throws FORBIDDEN for callers without a session. */
export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const user = requireUser(ctx);
  return ctx.core.db.write(async (tx) => {
    const ended = await deleteSessionsOf(tx, user.userId, user.sessionId);
    if (ended > 0) await auditEnd(ctx, tx, user, { ended });
    return { ended };
  });
}

function requireUser({ principal }: Ctx): UserPrincipal {
  if (principal.kind === "user") return principal;
  throw new AppError("FORBIDDEN", "Only somebody who is signed in has sessions.");
}

function auditEnd(ctx: Ctx, tx: Tx, user: UserPrincipal, facts: object): Promise<void> {
  return auditRepeated(ctx, tx, {
    action: "user.sessions.revoked",
    targetType: "user",
    targetId: user.userId,
    metadata: { username: user.username, ...facts },
  });
}
