// Users: made, changed, removed by owners; and the first owner, without whom nobody could sign in.

import type { users } from "../../api/users.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import { mayHoldKey, type Role } from "../../domain/principals.ts";
import {
  isActiveOwner,
  type User,
  type UserStatus,
  usernamePattern,
  usernameRule,
} from "../../domain/users.ts";
import { randomBase62 } from "../../lib/base62.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import { passwordProblem } from "../../lib/password-rules.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { deleteSessionsOf } from "../../store/tables/sessions.ts";
import {
  countActiveOwners,
  deleteUser as deleteStoredUser,
  findUser,
  findUserByName,
  hasUsers,
  insertUser,
  listUsers as listStoredUsers,
  setPasswordHash,
  type UserFilter,
  updateUser as updateStoredUser,
} from "../../store/tables/users.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";
import { revokeKeysOf } from "./api-keys.ts";
import { listSessions } from "./own-sessions.ts";

export const handlers: HandlersOf<typeof users> = {
  "users.list": (ctx, { query }) => listUsers(ctx, query),
  "users.create": (ctx, { body }) => createUser(ctx, body),
  "users.get": (ctx, { params }) => getUser(ctx, params.userId),
  "users.update": (ctx, { params, body }) => updateUser(ctx, params.userId, body),
  "users.delete": (ctx, { params }) => deleteUser(ctx, params.userId),
  "users.set-password": (ctx, { params, body }) => setPassword(ctx, params.userId, body.password),
  "users.sessions": (ctx, { params }) => listUserSessions(ctx, params.userId),
  "users.end-sessions": (ctx, { params }) => endSessions(ctx, params.userId),
};

export async function listUsers(ctx: Ctx, filter: UserFilter) {
  const { items, total } = await listStoredUsers(ctx.core.db.read, filter);
  return { items: items.map(toView), total };
}

/** Throws USER_NOT_FOUND. */
async function getUser(ctx: Ctx, id: string) {
  return toView(await requireUser(ctx.core.db.read, id));
}

/** Throws VALIDATION_FAILED for a weak password, USERNAME_TAKEN. */
async function createUser(ctx: Ctx, wanted: { username: string; password: string; role: Role }) {
  const { core } = ctx;
  const { username, password, role } = wanted;
  requireGoodPassword(password, username, "password");
  await requireFreeName(core.db.read, username, null);
  const passwordHash = await core.passwords.hash(password);
  return core.db.write(async (tx) => {
    await requireFreeName(tx, username, null);
    const id = core.newId("usr");
    await insertUser(tx, { id, username, role, passwordHash });
    await auditUser(ctx, tx, { id, username }, "user.created", { role });
    return rememberAnswer(ctx, tx, toView(await requireUser(tx, id)));
  });
}

export interface UserChange {
  username?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  /** The version that the change was made for. */
  version?: number | undefined;
}

/**
 * Changes what is named. Another role, or being disabled, ends the user's sessions and revokes the
 * user's API keys that are above the new role, or all of them. What is as it was already leaves no
 * trace. Throws USER_NOT_FOUND, USERNAME_TAKEN, VERSION_CONFLICT, and
 * LAST_OWNER where nobody would be left to administer.
 */
export async function updateUser(ctx: Ctx, id: string, change: UserChange) {
  return ctx.core.db.write(async (tx) => {
    const before = await requireUser(tx, id);
    if (change.version !== undefined && change.version !== before.version) {
      throw new AppError(
        "VERSION_CONFLICT",
        `The user was changed meanwhile: version ${before.version}, not ${change.version}.`,
        { details: { version: before.version } },
      );
    }
    const after = {
      ...before,
      username: change.username ?? before.username,
      role: change.role ?? before.role,
      status: change.status ?? before.status,
    };
    const changes = differences(before, after);
    if (Object.keys(changes).length === 0) return { ...toView(before), ...nothingEnded };
    await requireFreeName(tx, after.username, id);
    if (isActiveOwner(before) && !isActiveOwner(after)) await requireAnotherOwner(tx);
    await updateStoredUser(tx, after);
    const ended = await endAccess(ctx, tx, before, after);
    await auditUser(ctx, tx, before, "user.updated", { changes, ...ended });
    return { ...toView(await requireUser(tx, id)), ...ended };
  });
}

interface EndedAccess {
  sessionsEnded: number;
  apiKeysRevoked: number;
}

const nothingEnded: EndedAccess = { sessionsEnded: 0, apiKeysRevoked: 0 };

/** Ends what a change of a user takes the right from. */
async function endAccess(ctx: Ctx, tx: Tx, before: User, after: User): Promise<EndedAccess> {
  const { id, role } = after;
  const isDisabled = after.status === "DISABLED";
  if (role === before.role && !isDisabled) return nothingEnded;
  return {
    sessionsEnded: await deleteSessionsOf(tx, id),
    apiKeysRevoked: isDisabled
      ? await revokeKeysOf(ctx, tx, id, "user.disabled")
      : await revokeKeysOf(ctx, tx, id, "user.demoted", (keyRole) => mayHoldKey(role, keyRole)),
  };
}

/** Ends the sessions and revokes the API keys too. Throws USER_NOT_FOUND, LAST_OWNER. */
export async function deleteUser(ctx: Ctx, id: string) {
  const ended = await ctx.core.db.write(async (tx) => {
    const user = await requireUser(tx, id);
    if (isActiveOwner(user)) await requireAnotherOwner(tx);
    const sessionsEnded = await deleteSessionsOf(tx, id);
    const apiKeysRevoked = await revokeKeysOf(ctx, tx, id, "user.deleted");
    await deleteStoredUser(tx, id);
    const facts = { sessionsEnded, apiKeysRevoked };
    await auditUser(ctx, tx, user, "user.deleted", { role: user.role, ...facts });
    return facts;
  });
  return { id, deleted: true as const, ...ended };
}

/**
 * Sets somebody's password; their sessions continue. Throws FORBIDDEN for one's own,
 * USER_NOT_FOUND, VALIDATION_FAILED for a weak password.
 */
export async function setPassword(ctx: Ctx, id: string, password: string) {
  const { core, principal } = ctx;
  // There the current one is asked for: a session that was left open is not the password.
  if (principal.kind === "user" && principal.userId === id) {
    throw new AppError("FORBIDDEN", "Change your own password at POST /api/admin/auth/password.");
  }
  const user = await requireUser(core.db.read, id);
  requireGoodPassword(password, user.username, "password");
  const hash = await core.passwords.hash(password);
  return core.db.write(async (tx) => {
    if (!(await setPasswordHash(tx, id, hash, null))) throw noSuchUser(id);
    await auditUser(ctx, tx, user, "user.password.changed", {});
    return toView(await requireUser(tx, id));
  });
}

/** Throws USER_NOT_FOUND. */
async function listUserSessions(ctx: Ctx, id: string) {
  await requireUser(ctx.core.db.read, id);
  return listSessions(ctx, id);
}

/** Throws USER_NOT_FOUND. */
async function endSessions(ctx: Ctx, id: string): Promise<{ ended: number }> {
  return ctx.core.db.write(async (tx) => {
    const user = await requireUser(tx, id);
    const ended = await deleteSessionsOf(tx, id);
    if (ended > 0) await auditUser(ctx, tx, user, "user.sessions.revoked", { ended });
    return { ended };
  });
}

/**
 * With no user in the database, makes an owner. Answers its name, and its password when that was
 * made up here; null when there are users already. Throws VALIDATION_FAILED for a bad name or a weak
 * password.
 */
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
    await insertUser(tx, { id, username, role: "owner", passwordHash });
    await auditUser(ctx, tx, { id, username }, "user.created", { role: "owner", firstStart: true });
    return true;
  });
  return created ? { username, generatedPassword } : null;
}

/** Throws VALIDATION_FAILED, naming the field. */
export function requireGoodPassword(password: string, username: string, path: string): void {
  const message = passwordProblem(password, username);
  if (message !== null) throw validationFailed([{ path, message }]);
}

async function requireUser(db: Reader, id: string): Promise<User> {
  const user = await findUser(db, id);
  if (!user) throw noSuchUser(id);
  return user;
}

async function requireFreeName(db: Reader, username: string, ownId: string | null): Promise<void> {
  const holder = await findUserByName(db, username);
  if (!holder || holder.id === ownId) return;
  throw new AppError("USERNAME_TAKEN", `There is a user ${holder.username} already.`);
}

async function requireAnotherOwner(tx: Tx): Promise<void> {
  if ((await countActiveOwners(tx)) > 1) return;
  throw new AppError("LAST_OWNER", "This is the last active owner: make another one first.");
}

function differences(before: User, after: User): Record<string, { from: string; to: string }> {
  const fields = ["username", "role", "status"] as const;
  return Object.fromEntries(
    fields
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );
}

function auditUser(
  ctx: Ctx,
  tx: Tx,
  user: { id: string; username: string },
  action: `user.${"created" | "updated" | "deleted" | "password.changed" | "sessions.revoked"}`,
  facts: object,
): Promise<void> {
  return audit(ctx, tx, {
    action,
    targetType: "user",
    targetId: user.id,
    metadata: { username: user.username, ...facts },
  });
}

function toView(user: User) {
  const { id, username, role, status, version } = user;
  return {
    id,
    username,
    role,
    status,
    version,
    createdAt: isoTime(user.createdAt),
    updatedAt: isoTime(user.updatedAt),
    passwordChangedAt: isoTime(user.passwordChangedAt),
    lastLoginAt: isoTimeOrNull(user.lastLoginAt),
  };
}

function noSuchUser(id: string): AppError {
  return new AppError("USER_NOT_FOUND", `There is no user ${id}.`);
}
