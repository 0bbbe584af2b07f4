// User management by owners, and the creation of the first owner.

import type { users } from "../../api/users.ts";
import { type KeyRole, mayHoldKey } from "../../domain/access/principals.ts";
import { isActiveOwner, type User } from "../../domain/access/users.ts";
import { AppError, found, requireSameVersion, validationFailed } from "../../domain/errors.ts";
import { randomBase62 } from "../../lib/base62.ts";
import { isoTimes } from "../../lib/iso-time.ts";
import { passwordProblem } from "../../lib/password-rules.ts";
import { usernamePattern, usernameRule } from "../../lib/username-rule.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { deleteSessionsOf } from "../../store/tables/access/sessions.ts";
import {
  countActiveOwners,
  deleteUser as deleteStoredUser,
  findUser,
  findUserByName,
  hasUsers,
  insertUser,
  listUsers as listStoredUsers,
  setPasswordHash,
  updateUser as updateStoredUser,
} from "../../store/tables/access/users.ts";
import { audit, changedFields, changesOf } from "../audit/trail.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { revokeKeysOf } from "./api-keys.ts";
import { listSessions } from "./own-sessions.ts";
import { recheckCaller } from "./still-allowed.ts";

export const handlers: HandlersOf<typeof users> = {
  "users.list": async ({ core }, { query }) => {
    const { items, total } = await listStoredUsers(core.db.read, query);
    return { items: items.map(toView), total };
  },
  "users.create": (ctx, { body }) => createUser(ctx, body),
  "users.get": async ({ core }, { params }) =>
    toView(await requireUser(core.db.read, params.userId)),
  "users.update": (ctx, { params, body }) => updateUser(ctx, params.userId, body),
  "users.delete": (ctx, { params }) => deleteUser(ctx, params.userId),
  "users.set-password": (ctx, { params, body }) => setPassword(ctx, params.userId, body.password),
  "users.sessions": async (ctx, { params }) => {
    await requireUser(ctx.core.db.read, params.userId);
    return listSessions(ctx, params.userId);
  },
  "users.end-sessions": (ctx, { params }) => endSessions(ctx, params.userId),
};

async function createUser(ctx: Ctx, wanted: Body<typeof users, "users.create">) {
  const { core } = ctx;
  const { username, displayName = null, password, role } = wanted;
  requireGoodPassword(password, username, "password");
  await requireFreeName(core.db.read, username, null);
  const since = core.monotonic();
  const passwordHash = await core.passwords.hash(password);
  return core.db.write(async (tx) => {
    await recheckCaller(ctx, tx, since);
    await requireFreeName(tx, username, null);
    const id = core.newId("usr");
    await insertUser(tx, { id, username, displayName, role, passwordHash });
    const named = displayName === null ? {} : { displayName };
    await auditUser(ctx, tx, { id, username }, "user.created", { ...named, role });
    return rememberAnswer(ctx, tx, toView(await requireUser(tx, id)));
  });
}

const comparedFields = ["username", "displayName", "role", "status"] as const;

async function updateUser(ctx: Ctx, id: string, change: Body<typeof users, "users.update">) {
  return ctx.core.db.write(async (tx) => {
    const before = await requireUser(tx, id);
    const { version = before.version } = change;
    requireSameVersion(before, version, `user ${before.username}`);
    const after = {
      ...before,
      username: change.username ?? before.username,
      displayName: change.displayName === undefined ? before.displayName : change.displayName,
      role: change.role ?? before.role,
      status: change.status ?? before.status,
    };
    const changes = changesOf(changedFields(comparedFields, before, after), before, after);
    if (Object.keys(changes).length === 0) return { ...toView(before), ...nothingEnded };
    await requireFreeName(tx, after.username, id);
    if (isActiveOwner(before) && !isActiveOwner(after)) await requireAnotherOwner(tx);
    await updateStoredUser(tx, after);
    const ended = await endAccess(ctx, tx, before, after);
    await auditUser(ctx, tx, before, "user.updated", { changes, ...ended });
    return { ...toView(await requireUser(tx, id)), ...ended };
  });
}

const nothingEnded = { sessionsEnded: 0, apiKeysRevoked: 0 };

/**
 * A new role ends all sessions and revokes the API keys with a higher role. Disabling the user ends
 * all sessions and revokes all keys.
 */
async function endAccess(ctx: Ctx, tx: Tx, before: User, { id, role, status }: User) {
  const isDisabled = status === "DISABLED";
  if (role === before.role && !isDisabled) return nothingEnded;
  const keeps = (keyRole: KeyRole) => !isDisabled && mayHoldKey(role, keyRole);
  const isOwner = !isDisabled && role === "owner";
  const because = isDisabled ? "user.disabled" : "user.demoted";
  return {
    sessionsEnded: await deleteSessionsOf(tx, id),
    apiKeysRevoked: await revokeKeysOf(ctx, tx, id, because, { keeps, isOwner }),
  };
}

async function deleteUser(ctx: Ctx, id: string) {
  const ended = await ctx.core.db.write(async (tx) => {
    const user = await requireUser(tx, id);
    if (isActiveOwner(user)) await requireAnotherOwner(tx);
    const facts = {
      sessionsEnded: await deleteSessionsOf(tx, id),
      apiKeysRevoked: await revokeKeysOf(ctx, tx, id, "user.deleted", {
        keeps: () => false,
        isOwner: false,
      }),
    };
    await deleteStoredUser(tx, id);
    await auditUser(ctx, tx, user, "user.deleted", { role: user.role, ...facts });
    return facts;
  });
  return { id, deleted: true as const, ...ended };
}

/** Sets a user's password. That user's sessions continue. */
async function setPassword(ctx: Ctx, id: string, password: string) {
  const { core, principal } = ctx;
  // With a session, changing one's own password requires the current one. This protects unattended
  // sessions.
  if (principal.kind === "user" && principal.userId === id) {
    throw new AppError("FORBIDDEN", "Change your own password at POST /api/admin/auth/password.");
  }
  const user = await requireUser(core.db.read, id);
  requireGoodPassword(password, user.username, "password");
  const since = core.monotonic();
  const hash = await core.passwords.hash(password);
  return core.db.write(async (tx) => {
    await recheckCaller(ctx, tx, since);
    await setPasswordHash(tx, id, hash, null);
    const changed = await requireUser(tx, id);
    await auditUser(ctx, tx, user, "user.password.changed", {});
    return toView(changed);
  });
}

async function endSessions(ctx: Ctx, id: string): Promise<{ ended: number }> {
  return ctx.core.db.write(async (tx) => {
    const user = await requireUser(tx, id);
    const ended = await deleteSessionsOf(tx, id);
    if (ended > 0) await auditUser(ctx, tx, user, "user.sessions.revoked", { ended });
    return { ended };
  });
}

/** Returns null if there is a user already. Throws VALIDATION_FAILED. */
export async function createFirstOwner(
  core: Core,
  wanted: { username?: string | undefined; password?: string | undefined },
): Promise<{ username: string; generatedPassword: string | null } | null> {
  if (await hasUsers(core.db.read)) return null;
  const username = (wanted.username ?? "admin").normalize("NFKC");
  if (!usernamePattern.test(username)) {
    const issue = { path: "PLATFORM_ADMIN_USERNAME", message: usernameRule };
    throw validationFailed([issue], "first owner");
  }
  const generatedPassword = wanted.password ? null : randomBase62(24, core.fillRandom);
  const password = wanted.password ?? generatedPassword ?? "";
  requireGoodPassword(password, username, "PLATFORM_ADMIN_PASSWORD");
  const passwordHash = await core.passwords.hash(password);
  const ctx = systemContext(core);
  const created = await core.db.write(async (tx) => {
    if (await hasUsers(tx)) return false;
    const id = core.newId("usr");
    await insertUser(tx, { id, username, displayName: null, role: "owner", passwordHash });
    await auditUser(ctx, tx, { id, username }, "user.created", { role: "owner", firstStart: true });
    return true;
  });
  return created ? { username, generatedPassword } : null;
}

export function requireGoodPassword(password: string, username: string, path: string): void {
  const message = passwordProblem(password, username);
  if (message !== null) throw validationFailed([{ path, message }]);
}

async function requireUser(db: Reader, id: string): Promise<User> {
  return found(await findUser(db, id), "USER_NOT_FOUND", `user ${id}`);
}

async function requireFreeName(db: Reader, username: string, ownId: string | null): Promise<void> {
  const holder = await findUserByName(db, username);
  if (!holder || holder.id === ownId) return;
  throw new AppError("USERNAME_TAKEN", `The user ${holder.username} already exists.`);
}

async function requireAnotherOwner(tx: Tx): Promise<void> {
  if ((await countActiveOwners(tx)) > 1) return;
  throw new AppError("LAST_OWNER", "This is the last active owner: create another owner first.");
}

function auditUser(
  ctx: Ctx,
  tx: Tx,
  { id: targetId, username }: { id: string; username: string },
  action: `user.${"created" | "updated" | "deleted" | "password.changed" | "sessions.revoked"}`,
  facts: object,
): Promise<void> {
  return audit(ctx, tx, { action, targetId, metadata: { username, ...facts } });
}

function toView(user: User) {
  const { id, username, displayName, role, status, version } = user;
  const times = isoTimes(user, "createdAt", "updatedAt", "passwordChangedAt", "lastLoginAt");
  return { id, username, displayName, role, status, version, ...times };
}
