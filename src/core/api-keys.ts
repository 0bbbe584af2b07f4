// API keys: how programs reach the admin side. (`decisions.md` 5 "Three ways in")

import { mintToken } from "../domain/credentials.ts";
import { AppError } from "../domain/errors.ts";
import { expiryOf, type WantedExpiry } from "../domain/expiry.ts";
import type { Role } from "../domain/principals.ts";
import { isoTime, isoTimeOrNull } from "../lib/iso-time.ts";
import {
  type ApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys as listStoredKeys,
  revokeApiKey as revokeStoredKey,
} from "../store/api-keys.ts";
import type { Page } from "../store/filters.ts";
import { audit, makerOf } from "./audit-trail.ts";
import type { Ctx } from "./context.ts";
import { hashToken } from "./credentials.ts";
import { settle } from "./flush.ts";
import { rememberAnswer } from "./idempotency-keys.ts";

export interface NewApiKey extends WantedExpiry {
  name: string;
  role: Role;
}

/** Answers the key with its plain text, this once. Throws VALIDATION_FAILED for a past expiry. */
export async function createApiKey(ctx: Ctx, wanted: NewApiKey) {
  const { core } = ctx;
  const { name, role } = wanted;
  const plain = mintToken("apiKey", core.fillRandom);
  return core.db.write(async (tx) => {
    const created: ApiKey = {
      id: core.newId("key"),
      name,
      role,
      createdBy: makerOf(ctx.principal),
      createdAt: tx.now,
      expiresAt: expiryOf(wanted, tx.now, 0),
      revokedAt: null,
      lastUsedAt: null,
    };
    await insertApiKey(tx, created, hashToken(plain));
    await audit(ctx, tx, {
      action: "api_key.created",
      targetType: "api_key",
      targetId: created.id,
      metadata: { name, role, expiresAt: isoTimeOrNull(created.expiresAt) },
    });
    return rememberAnswer(ctx, tx, { ...toView(created, tx.now), key: plain });
  });
}

export async function listApiKeys(ctx: Ctx, page: Page) {
  await settle(ctx);
  const { items, total } = await listStoredKeys(ctx.core.db.read, page);
  return { items: items.map((key) => toView(key, ctx.core.now())), total };
}

/** Refuses the key from the next call on. Doing it again changes nothing. Throws API_KEY_NOT_FOUND. */
export async function revokeApiKey(ctx: Ctx, id: string) {
  const { core } = ctx;
  return core.db.write(async (tx) => {
    const revoked = await revokeStoredKey(tx, id);
    const key = await findApiKey(tx, id);
    if (!key) throw new AppError("API_KEY_NOT_FOUND", `There is no API key ${id}.`);
    if (revoked) {
      await audit(ctx, tx, {
        action: "api_key.revoked",
        targetType: "api_key",
        targetId: id,
        metadata: { name: key.name, role: key.role },
      });
      tx.afterCommit(() => core.credentials.forget());
    }
    return toView(key, tx.now);
  });
}

function toView(key: ApiKey, now: number) {
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  const status = key.revokedAt !== null ? "REVOKED" : expired ? "EXPIRED" : "ACTIVE";
  return {
    ...key,
    status: status as "ACTIVE" | "EXPIRED" | "REVOKED",
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTimeOrNull(key.expiresAt),
    revokedAt: isoTimeOrNull(key.revokedAt),
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  };
}
