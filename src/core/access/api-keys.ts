// API keys, with which programs call the admin API (docs/guides/users-and-access.md).

import type { apiKeys } from "../../api/api-keys.ts";
import { type ApiKey, apiKeyStatus, type NewApiKey } from "../../domain/access/api-keys.ts";
import { mintToken } from "../../domain/access/credentials.ts";
import { type KeyRole, mayActAs, mayHoldKey, roleOf } from "../../domain/access/principals.ts";
import { AppError, found, validationFailed } from "../../domain/errors.ts";
import { expiryOf } from "../../domain/expiry.ts";
import { isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  deleteApiKey as deleteStoredKey,
  findApiKey,
  insertApiKey,
  listApiKeys as listStoredKeys,
  listUnrevokedKeysOf,
  revokeApiKey as revokeStoredKey,
} from "../../store/tables/access/api-keys.ts";
import { findUser, findUserByName } from "../../store/tables/access/users.ts";
import { audit, makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { hashToken } from "./credentials.ts";

export const handlers: HandlersOf<typeof apiKeys> = {
  "api-keys.create": (ctx, { body }) => createApiKey(ctx, body),
  "api-keys.list": async (ctx, { query }) => {
    const { db, now } = ctx.core;
    const seen = await onlyOf(ctx, db.read);
    if (seen !== null && query.userId !== undefined && query.userId !== seen) {
      return { items: [], total: 0 };
    }
    const filter = seen === null ? query : { ...query, userId: seen };
    const { items, total } = await listStoredKeys(db.read, filter, now());
    return { items: items.map((key) => toView(key, now())), total };
  },
  "api-keys.get": async (ctx, { params }) => {
    const { db, now } = ctx.core;
    return toView(await requireKey(ctx, db.read, params.keyId), now());
  },
  "api-keys.delete": (ctx, { params }) => deleteApiKey(ctx, params.keyId),
  "api-keys.revoke": (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};

/**
 * Returns the id of the user whose keys the caller may see and change; null for owners, who see all
 * keys. For an API key without a user, returns an id that no user has, so that it sees no keys.
 */
async function onlyOf(ctx: Ctx, db: Reader): Promise<string | null> {
  if (mayActAs(roleOf(ctx.principal), "owner")) return null;
  return (await userBehind(ctx, db)) ?? "";
}

/** Only this response contains the key in plain text. */
async function createApiKey(ctx: Ctx, wanted: Body<typeof apiKeys, "api-keys.create">) {
  const { core } = ctx;
  const { name, role } = wanted;
  const plain = mintToken("apiKey", core.fillRandom);
  return core.db.write(async (tx) => {
    const caller = await callerOf(ctx, tx);
    const created: NewApiKey = {
      id: core.newId("key"),
      name,
      role,
      userId: await requireHolder(ctx, tx, caller, wanted),
      // Whoever created the calling key may know it, and so has seen the new key, too.
      makerId: caller.makerId ?? caller.userId,
      createdBy: makerOf(ctx.principal),
      createdAt: tx.now,
      expiresAt: expiryOf(wanted, tx.now, 0),
    };
    await insertApiKey(tx, created, hashToken(plain));
    const expiresAt = isoTimeOrNull(created.expiresAt);
    const key = await requireKey(ctx, tx, created.id);
    const facts = created.userId === caller.userId ? {} : { forUser: key.username };
    await auditKey(ctx, tx, created, "api_key.created", { expiresAt, ...facts });
    return rememberAnswer(ctx, tx, { ...toView(key, tx.now), key: plain });
  });
}

/**
 * Returns the id of the user to whom the key will belong: by default, the caller. Returns null for
 * a local caller who names no user. Only owners can create keys for others. No key may have a
 * higher role than its creator or its user. With a key that somebody else created, the caller cannot
 * create keys for others: two users may know them, but only one is stored as their creator.
 */
async function requireHolder(
  ctx: Ctx,
  tx: Tx,
  { userId: callerId, makerId }: KeyCaller,
  { role, user: username }: Body<typeof apiKeys, "api-keys.create">,
): Promise<string | null> {
  const ownRole = roleOf(ctx.principal);
  const caller = callerId === null ? null : await findUser(tx, callerId);
  const wasChanged =
    caller?.status !== "ACTIVE" || ownRole === null || !mayActAs(caller.role, ownRole);
  if (callerId !== null && wasChanged) {
    throw new AppError("UNAUTHORIZED", "Your user was just changed: sign in again.");
  }
  const holder = username === undefined ? caller : await findUserByName(tx, username);
  if (!mayActAs(ownRole, "owner")) {
    if (callerId === null) {
      const message = "This API key belongs to no user, so it cannot create others.";
      throw new AppError("FORBIDDEN", message);
    }
    if (holder?.id !== callerId) {
      const message = "Only an owner can create an API key for another user.";
      throw new AppError("FORBIDDEN", message, { details: { needed: "owner" } });
    }
  }
  if (makerId !== null && makerId !== callerId && holder?.id !== callerId) {
    const message =
      "Another user created this API key, so it can create keys only for its own user.";
    throw new AppError("FORBIDDEN", message);
  }
  if (username !== undefined && holder === null) {
    throw validationFailed([{ path: "user", message: `there is no user ${username}` }]);
  }
  if (ownRole === null || !mayHoldKey(ownRole, role)) {
    const needed = role === "metrics" ? "owner" : role;
    const message = `Only an owner can create an API key with the role ${role}.`;
    throw new AppError("FORBIDDEN", message, { details: { needed } });
  }
  if (holder === null) return null;
  if (holder.status === "ACTIVE" && mayHoldKey(holder.role, role)) return holder.id;
  const message =
    holder.status === "ACTIVE"
      ? `${holder.username} is a ${holder.role}, and cannot have a key with the role ${role}`
      : `${holder.username} is disabled`;
  throw validationFailed([{ path: username === undefined ? "role" : "user", message }]);
}

/**
 * Returns the id of the calling user, or of the user of the calling API key; null if there is none.
 * Throws UNAUTHORIZED for a key that was just revoked, but not for one that was also deleted.
 */
export async function userBehind(ctx: Ctx, db: Reader): Promise<string | null> {
  return (await callerOf(ctx, db)).userId;
}

/** The user of the calling API key, and the user who created it. Users count as both. */
type KeyCaller = Pick<ApiKey, "userId" | "makerId">;

/**
 * A key can be revoked and deleted between its check at the start of a call and this transaction.
 * The call then still acts for the key's user, as if it had come before. Calls that wait for a
 * second or more are checked again (still-allowed.ts).
 */
async function callerOf({ principal }: Ctx, db: Reader): Promise<KeyCaller> {
  if (principal.kind === "user") return { userId: principal.userId, makerId: principal.userId };
  if (principal.kind !== "apiKey") return { userId: null, makerId: null };
  const key = await findApiKey(db, principal.keyId);
  if (key && key.revokedAt !== null) {
    throw new AppError("UNAUTHORIZED", "The API key was just revoked.");
  }
  return principal;
}

async function revokeApiKey(ctx: Ctx, id: string) {
  return ctx.core.db.write(async (tx) => {
    await revoke(ctx, tx, await requireKey(ctx, tx, id));
    return toView(await requireKey(ctx, tx, id), tx.now);
  });
}

async function deleteApiKey(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    const key = await requireKey(ctx, tx, id);
    const status = apiKeyStatus(key, tx.now);
    if (status === "ACTIVE") {
      const message = "The API key still works: revoke it before you delete it.";
      throw new AppError("API_KEY_ACTIVE", message, { details: { status } });
    }
    await deleteStoredKey(tx, id);
    await auditKey(ctx, tx, key, "api_key.deleted", { status });
  });
  return { id, deleted: true as const };
}

/**
 * Revokes the user's keys with a role that `keeps` does not accept. If the user is no longer an
 * owner, also revokes the keys that the user created for others, because the user may know them.
 * Returns how many of the revoked keys still worked.
 */
export async function revokeKeysOf(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  because: string,
  { keeps, isOwner }: { keeps(role: KeyRole): boolean; isOwner: boolean },
): Promise<number> {
  const keys = (await listUnrevokedKeysOf(tx, userId)).filter((key) =>
    key.userId === userId ? !keeps(key.role) : !isOwner,
  );
  for (const key of keys) await revoke(ctx, tx, key, { because, userId });
  return keys.filter((key) => apiKeyStatus(key, tx.now) === "ACTIVE").length;
}

async function revoke(ctx: Ctx, tx: Tx, key: ApiKey, facts: object = {}): Promise<void> {
  if (!(await revokeStoredKey(tx, key.id))) return;
  await auditKey(ctx, tx, key, "api_key.revoked", facts);
  tx.afterCommit(() => ctx.core.credentials.forget());
}

/** Throws API_KEY_NOT_FOUND, also for a key that the caller may not see. */
async function requireKey(ctx: Ctx, db: Reader, id: string): Promise<ApiKey> {
  const key = await findApiKey(db, id);
  const seen = await onlyOf(ctx, db);
  const isSeen = key !== null && (seen === null || key.userId === seen);
  return found(isSeen ? key : null, "API_KEY_NOT_FOUND", `API key ${id}`);
}

function auditKey(
  ctx: Ctx,
  tx: Tx,
  { id, name, role }: NewApiKey,
  action: `api_key.${"created" | "revoked" | "deleted"}`,
  facts: object,
): Promise<void> {
  return audit(ctx, tx, { action, targetId: id, metadata: { name, role, ...facts } });
}

function toView(key: ApiKey, now: number) {
  const { userId, username, displayName, userStatus, ...rest } = key;
  return {
    ...rest,
    status: apiKeyStatus(key, now),
    user:
      userId === null
        ? null
        : { id: userId, username, displayName, status: userStatus ?? ("DELETED" as const) },
    ...isoTimes(key, "createdAt", "expiresAt", "revokedAt", "lastUsedAt"),
  };
}
