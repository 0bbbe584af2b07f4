// Sign-in with a password, and password changes. (docs/decisions/0020-browsers.md)

import type { sessions } from "../../api/sessions.ts";
import { type User, usernameKey } from "../../domain/access/users.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import { deleteSessionsOf } from "../../store/tables/access/sessions.ts";
import { isSignInNetwork } from "../../store/tables/access/sign-in-networks.ts";
import {
  findUserByName,
  findUserWithPassword,
  setPasswordHash,
  type UserWithPassword,
} from "../../store/tables/access/users.ts";
import { auditRepeated, noteRepeated } from "../audit/repeated-events.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, networkOf } from "../context.ts";
import type { Body } from "../handlers.ts";
import type { Lock } from "./login-failures.ts";
import { requireUser } from "./own-sessions.ts";
import { startSession } from "./sessions.ts";
import { requireGoodPassword } from "./users.ts";

/** An unknown user and a wrong password cause the same error after the same time. */
export async function login(ctx: Ctx, username: string, password: string) {
  const { core } = ctx;
  const user = await findUserByName(core.db.read, username);
  const active = user?.status === "ACTIVE" ? user : null;
  const locks = await failedLocks(ctx, username, password, active);
  if (locks === null && active) return startSession(ctx, active);
  await noteFailure(ctx, user, locks ?? []);
  throw new AppError("UNAUTHORIZED", "The username or the password is wrong.");
}

/** Returns null if the password is correct, and otherwise the locks that the failure causes. */
async function failedLocks(
  ctx: Ctx,
  username: string,
  password: string,
  user: UserWithPassword | null,
): Promise<Lock[] | null> {
  const { loginGuard, passwords, db } = ctx.core;
  const network = networkOf(ctx);
  const isFamiliar = user !== null && (await isSignInNetwork(db.read, user.id, network));
  const source = { account: usernameKey(username), network, isFamiliar };
  await loginGuard.require(source);
  const fits = await passwords.verify(password, user?.passwordHash ?? null, source);
  const locks = await loginGuard.judge(source, fits);
  return fits ? null : locks;
}

async function noteFailure(ctx: Ctx, user: User | null, locks: Lock[]): Promise<void> {
  // An unknown name is not stored, because it may be a password typed into the wrong field.
  const target = { targetId: user?.id ?? null, result: "DENIED" } as const;
  const metadata = user ? { username: user.username } : {};
  const failure = { action: "session.login.failed", ...target, metadata } as const;
  if (locks.length === 0) return noteRepeated(ctx, failure, "failed");
  await ctx.core.db.write(async (tx) => {
    await auditRepeated(ctx, tx, failure, "failed");
    for (const locked of locks) {
      const lock = { ...target, metadata: { ...metadata, locked } };
      await audit(ctx, tx, { action: "session.login.locked", ...lock });
    }
  });
}

/** A sign-in that a lock refused is only counted: it gets no audit row of its own. */
export function countRefusedLogin(core: Core): void {
  core.auditSums.count({
    entry: { action: "session.login.failed", targetId: null, result: "DENIED" },
    principal: { kind: "anonymous" },
    item: "refused",
    at: core.now(),
  });
}

export async function changeOwnPassword(
  ctx: Ctx,
  {
    currentPassword,
    newPassword,
    endOtherSessions = false,
  }: Body<typeof sessions, "auth.password">,
) {
  const { core } = ctx;
  const { userId, sessionId } = requireUser(ctx, "Only a signed-in user has a password.");
  const user = await findUserWithPassword(core.db.read, userId);
  if (!user) throw new AppError("FORBIDDEN", "Only a signed-in user has a password.");
  const locks = await failedLocks(ctx, user.username, currentPassword, user);
  if (locks !== null) {
    await noteFailure(ctx, user, locks);
    throw validationFailed([{ path: "currentPassword", message: "is not the current password" }]);
  }
  requireGoodPassword(newPassword, user.username, "newPassword");
  const hash = await core.passwords.hash(newPassword);
  return core.db.write(async (tx) => {
    if (!(await setPasswordHash(tx, user.id, hash, user.passwordHash))) {
      throw new AppError("VERSION_CONFLICT", "Someone else has just changed the password.");
    }
    const sessionsEnded = endOtherSessions ? await deleteSessionsOf(tx, user.id, sessionId) : 0;
    const metadata = { username: user.username, sessionsEnded };
    await audit(ctx, tx, { action: "user.password.changed", targetId: user.id, metadata });
    return { changed: true as const, sessionsEnded };
  });
}
