// Invitations for agents. (`service.md` "Registration token"; `decisions.md` 5)

import { mintToken } from "../domain/credentials.ts";
import { validationFailed } from "../domain/errors.ts";
import type { RegistrationToken } from "../domain/registration-tokens.ts";
import { isoTime, isoTimeOrNull } from "../lib/iso-time.ts";
import { expireRegistrationTokens, insertRegistrationToken } from "../store/registration-tokens.ts";
import { audit, makerOf } from "./audit-trail.ts";
import type { Core, Ctx } from "./context.ts";
import { hashToken } from "./credentials.ts";

export interface NewRegistrationToken {
  name?: string | undefined;
  /** ISO 8601; null: never. */
  expiresAt?: string | null | undefined;
  /** 0: never. */
  expiresInSeconds?: number | undefined;
}

/** Answers the token with its plain text, this once. Throws VALIDATION_FAILED for a past expiry. */
export async function createRegistrationToken(ctx: Ctx, wanted: NewRegistrationToken) {
  const { core } = ctx;
  const plain = mintToken("registration", core.fillRandom);
  const token = await core.db.write(async (tx) => {
    const created: RegistrationToken = {
      id: core.newId("rtk"),
      name: wanted.name ?? null,
      status: "ACTIVE",
      createdBy: makerOf(ctx.principal),
      createdAt: tx.now,
      expiresAt: expiryOf(wanted, tx.now, core.settings.registrationTokenTtlSeconds),
      usedAt: null,
      usedByAgentId: null,
      revokedAt: null,
    };
    await insertRegistrationToken(tx, created, hashToken(plain));
    await audit(ctx, tx, {
      action: "registration_token.created",
      targetType: "registration_token",
      targetId: created.id,
      metadata: { name: created.name, expiresAt: isoTimeOrNull(created.expiresAt) },
    });
    return created;
  });
  return {
    ...token,
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTimeOrNull(token.expiresAt),
    usedAt: null,
    revokedAt: null,
    token: plain,
  };
}

function expiryOf(
  wanted: NewRegistrationToken,
  now: number,
  defaultSeconds: number,
): number | null {
  if (wanted.expiresAt === null) return null;
  if (wanted.expiresAt !== undefined) {
    const at = Date.parse(wanted.expiresAt);
    if (at <= now) throw validationFailed([{ path: "expiresAt", message: "is in the past" }]);
    return at;
  }
  const seconds = wanted.expiresInSeconds ?? defaultSeconds;
  return seconds === 0 ? null : now + seconds * 1000;
}

/** Writes down which ACTIVE tokens are past their time. */
export async function expireTokens(core: Core): Promise<number> {
  return core.db.write((tx) => expireRegistrationTokens(tx));
}
