// API keys, with which programs call the admin API ("API keys" in docs/administration.md).

import type { apiKeys } from "../../api/api-keys.ts";
import { type ApiKey, apiKeyStatus, type NewApiKey } from "../../domain/api-keys.ts";
import { mintToken } from "../../domain/credentials.ts";
import { AppError, found } from "../../domain/errors.ts";
import { expiryOf } from "../../domain/expiry.ts";
import { type KeyRole, mayHoldKey } from "../../domain/principals.ts";
import { isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
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
import type { Body, HandlersOf } from "../handlers.ts";
import { hashToken } from "../memory/credentials.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";

export const handlers: HandlersOf<typeof apiKeys> = {
  "api-keys.create": (ctx, { body }) => createApiKey(ctx, body),
  "api-keys.list": async ({ core }, { query }) => {
    const now = core.now();
    const { items, total } = await listStoredKeys(core.db.read, query, now);
    return { items: items.map((key) => toView(key, now)), total };
  },
  "api-keys.get": async ({ core }, { params }) =>
    toView(await requireKey(core.db.read, params.keyId), core.now()),
  "api-keys.delete": (ctx, { params }) => deleteApiKey(ctx, params.keyId),
  "api-keys.revoke": (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};

/** Only this response contains the key in plain text. */
async function createApiKey(ctx: Ctx, wanted: Body<typeof apiKeys, "api-keys.create">) {
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
    const expiresAt = isoTimeOrNull(created.expiresAt);
    await auditKey(ctx, tx, created, "api_key.created", { expiresAt });
    const key = await requireKey(tx, created.id);
    return rememberAnswer(ctx, tx, { ...toView(key, tx.now), key: plain });
  });
}

/** Returns the id of the user who will own the key, or null for a local caller. */
async function requireMaker(ctx: Ctx, tx: Tx, role: KeyRole): Promise<string | null> {
  const userId = await userBehind(ctx, tx);
  if (userId === null) return null;
  const user = await findUser(tx, userId);
  if (user?.status === "ACTIVE" && mayHoldKey(user.role, role)) return userId;
  throw new AppError("UNAUTHORIZED", "Your user was just changed: sign in again.");
}

/** Returns the id of the user, or of the user of the API key. A local caller has none. */
export async function userBehind({ principal }: Ctx, db: Reader): Promise<string | null> {
  if (principal.kind === "user") return principal.userId;
  if (principal.kind !== "apiKey") return null;
  const key = await findApiKey(db, principal.keyId);
  if (key && key.revokedAt !== null) {
    throw new AppError("UNAUTHORIZED", "The API key was just revoked.");
  }
  return key?.userId ?? null;
}

async function revokeApiKey(ctx: Ctx, id: string) {
  return ctx.core.db.write(async (tx) => {
    await revoke(ctx, tx, await requireKey(tx, id));
    return toView(await requireKey(tx, id), tx.now);
  });
}

async function deleteApiKey(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    const key = await requireKey(tx, id);
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

/** Returns how many of the revoked keys still worked. */
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
  return found(await findApiKey(db, id), "API_KEY_NOT_FOUND", `API key ${id}`);
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
