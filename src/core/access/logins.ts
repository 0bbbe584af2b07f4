// Signing in with a password, and changing it: guarded against guessing, told in the audit trail.
// (docs/decisions/0020-browsers.md)

import { AppError, validationFailed } from "../../domain/errors.ts";
import { type User, usernameKey } from "../../domain/users.ts";
import { deleteSessionsOf } from "../../store/tables/sessions.ts";
import { isSignInNetwork } from "../../store/tables/sign-in-networks.ts";
import { findUserByName, findUserWithPassword, setPasswordHash } from "../../store/tables/users.ts";
import { auditRepeated, noteRepeated } from "../audit/repeated-events.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, networkOf } from "../context.ts";
import type { Lock, LoginSource } from "./login-guard.ts";
import { startSession } from "./sessions.ts";
import { requireGoodPassword } from "./users.ts";

/**
 * Signs a user in. Answers the session and the secret for its cookie. Throws UNAUTHORIZED, with the
 * same words and after the same time whether the user or the password is wrong; RATE_LIMITED for an
 * account or an address that has failed too often, also with the right password.
 */
export async function login(ctx: Ctx, username: string, password: string) {
  const { core } = ctx;
  const user = await findUserByName(core.db.read, username);
  const active = user?.status === "ACTIVE" ? user : null;
  const source = await sourceOf(ctx, username, active);
  core.loginGuard.require(source);
  const fits = await core.passwords.verify(password, active?.passwordHash ?? null, source);
  const locks = core.loginGuard.judge(source, fits);
  if (!fits || !active) {
    await noteFailure(ctx, user, locks);
    throw new AppError("UNAUTHORIZED", "The username or the password is wrong.");
  }
  return startSession(ctx, active);
}

async function sourceOf(ctx: Ctx, username: string, user: User | null): Promise<LoginSource> {
  const network = networkOf(ctx);
  const { read } = ctx.core.db;
  const isFamiliar = user !== null && (await isSignInNetwork(read, user.id, network));
  return { account: usernameKey(username), network, isFamiliar };
}

/** A row for each failure, as long as they are not too many; and one for each lock that it brought. */
async function noteFailure(ctx: Ctx, user: User | null, locks: Lock[]): Promise<void> {
  // A name that is none here may be a password in the wrong field.
  const target = { targetType: "user", targetId: user?.id ?? null, result: "DENIED" } as const;
  const metadata = user ? { username: user.username } : {};
  const failure = { action: "session.login.failed", ...target, metadata } as const;
  if (locks.length === 0) return noteRepeated(ctx, failure, "failed");
  await ctx.core.db.write(async (tx) => {
    await auditRepeated(ctx, tx, failure, "failed");
    for (const locked of locks) {
      await audit(ctx, tx, {
        action: "session.login.locked",
        ...target,
        metadata: { ...metadata, locked },
      });
    }
  });
}

/** A sign-in that was not judged, since account or address are locked: only ever counted. */
export function countRefusedLogin(core: Core): void {
  core.auditSums.count({
    entry: {
      action: "session.login.failed",
      targetType: "user",
      targetId: null,
      result: "DENIED",
    },
    principal: { kind: "anonymous" },
    item: "refused",
    at: core.now(),
  });
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  /** Signs the user out everywhere else. */
  endOtherSessions?: boolean | undefined;
}

/**
 * Sets the caller's own password; sessions go on, but for the others when that is wanted. Throws FORBIDDEN for callers without one (API keys),
 * VALIDATION_FAILED for a wrong current or a weak new password, RATE_LIMITED after too many wrong ones.
 */
export async function changeOwnPassword(
  ctx: Ctx,
  { currentPassword, newPassword, endOtherSessions = false }: PasswordChange,
): Promise<{ changed: true; sessionsEnded: number }> {
  const { core, principal } = ctx;
  const user =
    principal.kind === "user" ? await findUserWithPassword(core.db.read, principal.userId) : null;
  if (!user) throw new AppError("FORBIDDEN", "Only somebody who is signed in has a password.");
  const source = await sourceOf(ctx, user.username, user);
  core.loginGuard.require(source);
  const fits = await core.passwords.verify(currentPassword, user.passwordHash, source);
  const locks = core.loginGuard.judge(source, fits);
  if (!fits) {
    await noteFailure(ctx, user, locks);
    throw validationFailed([{ path: "currentPassword", message: "is not the current password" }]);
  }
  requireGoodPassword(newPassword, user.username, "newPassword");
  const hash = await core.passwords.hash(newPassword);
  const sessionsEnded = await core.db.write(async (tx) => {
    if (!(await setPasswordHash(tx, user.id, hash, user.passwordHash))) {
      throw new AppError(
        "VERSION_CONFLICT",
        "The password was changed by somebody else meanwhile.",
      );
    }
    const sessionId = principal.kind === "user" ? principal.sessionId : null;
    const ended = endOtherSessions ? await deleteSessionsOf(tx, user.id, sessionId) : 0;
    await audit(ctx, tx, {
      action: "user.password.changed",
      targetType: "user",
      targetId: user.id,
      metadata: { username: user.username, sessionsEnded: ended },
    });
    return ended;
  });
  return { changed: true, sessionsEnded };
}
