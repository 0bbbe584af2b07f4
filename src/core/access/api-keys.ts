// API keys: how programs reach the admin side. A key belongs to the user who made it and ends with that
// user; see docs/administration.md "API keys".

import type { apiKeys } from "../../api/api-keys.ts";
import { type ApiKey, apiKeyStatus, type NewApiKey } from "../../domain/api-keys.ts";
import { mintToken } from "../../domain/credentials.ts";
import { AppError } from "../../domain/errors.ts";
import { expiryOf, type WantedExpiry } from "../../domain/expiry.ts";
import { type KeyRole, mayHoldKey } from "../../domain/principals.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  type ApiKeyFilter,
  deleteApiKey as deleteStoredKey,
  findApiKey,
  insertApiKey,
  listApiKeys as listStoredKeys,
  listUnrevokedKeysOf,
  revokeApiKey as revokeStoredKey,
} from "../../store/tables/api-keys.ts";
import { findUser } from "../../store/tables/users.ts";
import { audit, makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { hashToken } from "../memory/credentials.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";

export const handlers: HandlersOf<typeof apiKeys> = {
  "api-keys.create": (ctx, { body }) => createApiKey(ctx, body),
  "api-keys.list": (ctx, { query }) => listApiKeys(ctx, query),
  "api-keys.get": (ctx, { params }) => getApiKey(ctx, params.keyId),
  "api-keys.delete": (ctx, { params }) => deleteApiKey(ctx, params.keyId),
  "api-keys.revoke": (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};

export interface WantedApiKey extends WantedExpiry {
  name: string;
  role: KeyRole;
}

/**
 * Creates a key that belongs to the caller's user; returns it with its plain text, this once.
 * Throws VALIDATION_FAILED for a past expiry, and UNAUTHORIZED when the user was disabled, demoted
 * or deleted meanwhile.
 */
async function createApiKey(ctx: Ctx, wanted: WantedApiKey) {
  const { core } = ctx;
  const { name, role } = wanted;
  const plain = mintToken("apiKey", core.fillRandom);
  return core.db.write(async (tx) => {
    const created: NewApiKey = {
      id: core.newId("key"),
      name,
      role,
      userId: await requireMaker(ctx, tx, role),
      createdBy: makerOf(ctx.principal),
      createdAt: tx.now,
      expiresAt: expiryOf(wanted, tx.now, 0),
    };
    await insertApiKey(tx, created, hashToken(plain));
    await auditKey(ctx, tx, created, "api_key.created", {
      expiresAt: isoTimeOrNull(created.expiresAt),
    });
    const key = await requireKey(tx, created.id);
    return rememberAnswer(ctx, tx, { ...toView(key, tx.now), key: plain });
  });
}

/** The id of the user that the caller's new key belongs to; null on the host. */
async function requireMaker(ctx: Ctx, tx: Tx, role: KeyRole): Promise<string | null> {
  const userId = await userBehind(ctx, tx);
  if (userId === null) return null;
  const user = await findUser(tx, userId);
  if (user?.status === "ACTIVE" && mayHoldKey(user.role, role)) return userId;
  throw new AppError("UNAUTHORIZED", "Your user was changed meanwhile: sign in again.");
}

async function userBehind({ principal }: Ctx, tx: Tx): Promise<string | null> {
  if (principal.kind === "user") return principal.userId;
  if (principal.kind !== "apiKey") return null;
  const key = await findApiKey(tx, principal.keyId);
  if (key && key.revokedAt !== null) {
    throw new AppError("UNAUTHORIZED", "The API key was revoked meanwhile.");
  }
  return key?.userId ?? null;
}

export async function listApiKeys(ctx: Ctx, filter: ApiKeyFilter) {
  const now = ctx.core.now();
  const { items, total } = await listStoredKeys(ctx.core.db.read, filter, now);
  return { items: items.map((key) => toView(key, now)), total };
}

/** Throws API_KEY_NOT_FOUND. */
async function getApiKey(ctx: Ctx, id: string) {
  return toView(await requireKey(ctx.core.db.read, id), ctx.core.now());
}

/** Refuses the key from the next call on. Doing it again changes nothing. Throws API_KEY_NOT_FOUND. */
export async function revokeApiKey(ctx: Ctx, id: string) {
  return ctx.core.db.write(async (tx) => {
    await revoke(ctx, tx, await requireKey(tx, id));
    return toView(await requireKey(tx, id), tx.now);
  });
}

/**
 * Forgets a key that nobody can use any more; the audit trail keeps what was done with it. Throws
 * API_KEY_NOT_FOUND, and API_KEY_ACTIVE for one that still works.
 */
export async function deleteApiKey(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    const key = await requireKey(tx, id);
    const status = apiKeyStatus(key, tx.now);
    if (status === "ACTIVE") {
      throw new AppError(
        "API_KEY_ACTIVE",
        "The API key still works: revoke it before you delete it.",
        { details: { status } },
      );
    }
    await deleteStoredKey(tx, id);
    await auditKey(ctx, tx, key, "api_key.deleted", { status });
  });
  return { id, deleted: true as const };
}

/**
 * Revokes the keys of a user, in the transaction that takes the user's rights away, and returns how
 * many of them still worked. `keeps` says which roles the user may still hold keys of.
 */
export async function revokeKeysOf(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  because: string,
  keeps: (role: KeyRole) => boolean = () => false,
): Promise<number> {
  const keys = (await listUnrevokedKeysOf(tx, userId)).filter(({ role }) => !keeps(role));
  for (const key of keys) await revoke(ctx, tx, key, { because, userId });
  return keys.filter((key) => apiKeyStatus(key, tx.now) === "ACTIVE").length;
}

async function revoke(ctx: Ctx, tx: Tx, key: ApiKey, facts: object = {}): Promise<void> {
  if (!(await revokeStoredKey(tx, key.id))) return;
  await auditKey(ctx, tx, key, "api_key.revoked", facts);
  tx.afterCommit(() => ctx.core.credentials.forget());
}

async function requireKey(db: Reader, id: string): Promise<ApiKey> {
  const key = await findApiKey(db, id);
  if (key) return key;
  throw new AppError("API_KEY_NOT_FOUND", `There is no API key ${id}.`);
}

function auditKey(
  ctx: Ctx,
  tx: Tx,
  { id, name, role }: NewApiKey,
  action: `api_key.${"created" | "revoked" | "deleted"}`,
  facts: object,
): Promise<void> {
  return audit(ctx, tx, {
    action,
    targetType: "api_key",
    targetId: id,
    metadata: { name, role, ...facts },
  });
}

function toView(key: ApiKey, now: number) {
  const { userId, username, userStatus, ...rest } = key;
  return {
    ...rest,
    status: apiKeyStatus(key, now),
    user:
      userId === null ? null : { id: userId, username, status: userStatus ?? ("DELETED" as const) },
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTimeOrNull(key.expiresAt),
    revokedAt: isoTimeOrNull(key.revokedAt),
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  };
}
