// API keys: how programs reach the admin side. (`decisions.md` 5)

import { mintToken } from "../domain/credentials.ts";
import type { Role } from "../domain/principals.ts";
import { isoTime, isoTimeOrNull } from "../lib/iso-time.ts";
import { insertApiKey } from "../store/api-keys.ts";
import { audit, makerOf } from "./audit-trail.ts";
import type { Ctx } from "./context.ts";
import { hashToken } from "./credentials.ts";

export interface NewApiKey {
  name: string;
  role: Role;
  /** Absent: it does not expire. */
  expiresInSeconds?: number | undefined;
}

/** Answers the key with its plain text, this once. */
export async function createApiKey(ctx: Ctx, wanted: NewApiKey) {
  const { core } = ctx;
  const { name, role, expiresInSeconds } = wanted;
  const plain = mintToken("apiKey", core.fillRandom);
  const id = core.newId("key");
  return core.db.write(async (tx) => {
    const expiresAt = expiresInSeconds === undefined ? null : tx.now + expiresInSeconds * 1000;
    await insertApiKey(
      tx,
      {
        id,
        name,
        role,
        createdBy: makerOf(ctx.principal),
        createdAt: tx.now,
        expiresAt,
        revokedAt: null,
      },
      hashToken(plain),
    );
    await audit(ctx, tx, {
      action: "api_key.created",
      targetType: "api_key",
      targetId: id,
      metadata: { name, role, expiresAt: isoTimeOrNull(expiresAt) },
    });
    return {
      id,
      name,
      role,
      createdAt: isoTime(tx.now),
      expiresAt: isoTimeOrNull(expiresAt),
      key: plain,
    };
  });
}
