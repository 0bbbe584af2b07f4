// Invitations for agents.

import type { registrationTokens } from "../../api/registration-tokens.ts";
import { mintToken } from "../../domain/credentials.ts";
import { AppError } from "../../domain/errors.ts";
import { expiryOf, type WantedExpiry } from "../../domain/expiry.ts";
import { currentTokenStatus, type RegistrationToken } from "../../domain/registration-tokens.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  deleteRegistrationToken as deleteStoredToken,
  expireRegistrationTokens,
  findRegistrationToken,
  insertRegistrationToken,
  listRegistrationTokens as listStoredTokens,
  type RegistrationTokenFilter,
  revokeRegistrationToken as revokeStoredToken,
} from "../../store/tables/registration-tokens.ts";
import { audit, makerOf } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { hashToken } from "../memory/credentials.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";

export const handlers: HandlersOf<typeof registrationTokens> = {
  "registration-tokens.create": (ctx, { body }) => createRegistrationToken(ctx, body),
  "registration-tokens.list": (ctx, { query }) => listRegistrationTokens(ctx, query),
  "registration-tokens.get": (ctx, { params }) => getRegistrationToken(ctx, params.tokenId),
  "registration-tokens.revoke": (ctx, { params }) => revokeRegistrationToken(ctx, params.tokenId),
  "registration-tokens.delete": (ctx, { params }) => deleteRegistrationToken(ctx, params.tokenId),
};

export interface NewRegistrationToken extends WantedExpiry {
  name?: string | undefined;
  /** The agents that it lets in: a code, or the beginning of one and a `*`. Any when absent. */
  agentCode?: string | undefined;
  /** It also replaces an agent that is there. */
  replace?: boolean | undefined;
}

/** Answers the token with its plain text, this once. Throws VALIDATION_FAILED for a past expiry. */
async function createRegistrationToken(ctx: Ctx, wanted: NewRegistrationToken) {
  const { core } = ctx;
  const plain = mintToken("registration", core.fillRandom);
  return core.db.write(async (tx) => {
    const created: RegistrationToken = {
      id: core.newId("rtk"),
      name: wanted.name ?? null,
      agentCode: wanted.agentCode ?? null,
      replace: wanted.replace ?? false,
      status: "ACTIVE",
      createdBy: makerOf(ctx.principal),
      createdAt: tx.now,
      expiresAt: expiryOf(wanted, tx.now, core.settings.registrationTokenTtlSeconds),
      usedAt: null,
      usedByAgentId: null,
      revokedAt: null,
    };
    await insertRegistrationToken(tx, created, hashToken(plain));
    await auditToken(ctx, tx, created, "registration_token.created", {
      expiresAt: isoTimeOrNull(created.expiresAt),
      agentCode: created.agentCode,
      replace: created.replace,
    });
    return rememberAnswer(ctx, tx, { ...toView(created, tx.now), token: plain });
  });
}

export async function listRegistrationTokens(ctx: Ctx, filter: RegistrationTokenFilter) {
  const now = ctx.core.now();
  const { items, total } = await listStoredTokens(ctx.core.db.read, filter, now);
  return { items: items.map((token) => toView(token, now)), total };
}

/** Throws REGISTRATION_TOKEN_NOT_FOUND. */
async function getRegistrationToken(ctx: Ctx, id: string) {
  return toView(await requireToken(ctx.core.db.read, id), ctx.core.now());
}

/**
 * Ends the token, whatever its state; doing it again changes nothing. The agent token that it gave
 * is another credential, and stays. Throws REGISTRATION_TOKEN_NOT_FOUND.
 */
export async function revokeRegistrationToken(ctx: Ctx, id: string) {
  return ctx.core.db.write(async (tx) => {
    const before = await requireToken(tx, id);
    if (await revokeStoredToken(tx, id)) {
      const from = currentTokenStatus(before, tx.now);
      await auditToken(ctx, tx, before, "registration_token.revoked", { from });
    }
    return toView(await requireToken(tx, id), tx.now);
  });
}

/**
 * Forgets a token that lets nobody in any more. Throws REGISTRATION_TOKEN_NOT_FOUND, and
 * REGISTRATION_TOKEN_ACTIVE for one that still does.
 */
export async function deleteRegistrationToken(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    const token = await requireToken(tx, id);
    const status = currentTokenStatus(token, tx.now);
    if (status === "ACTIVE") {
      throw new AppError(
        "REGISTRATION_TOKEN_ACTIVE",
        "The token can still let an agent in: revoke it before you delete it.",
        { details: { status } },
      );
    }
    await deleteStoredToken(tx, id);
    await auditToken(ctx, tx, token, "registration_token.deleted", { status });
  });
  return { id, deleted: true as const };
}

/** Writes down which ACTIVE tokens are past their time; EXPIRED is for ever. */
export async function expireTokens(core: Core, now: number): Promise<number> {
  return core.db.write((tx) => expireRegistrationTokens(tx, now));
}

async function requireToken(db: Reader, id: string): Promise<RegistrationToken> {
  const token = await findRegistrationToken(db, id);
  if (token) return token;
  throw new AppError("REGISTRATION_TOKEN_NOT_FOUND", `There is no registration token ${id}.`);
}

function auditToken(
  ctx: Ctx,
  tx: Tx,
  token: RegistrationToken,
  action: `registration_token.${"created" | "revoked" | "deleted"}`,
  facts: object,
): Promise<void> {
  return audit(ctx, tx, {
    action,
    targetId: token.id,
    metadata: { name: token.name, ...facts },
  });
}

function toView(token: RegistrationToken, now: number) {
  return {
    ...token,
    status: currentTokenStatus(token, now),
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTimeOrNull(token.expiresAt),
    usedAt: isoTimeOrNull(token.usedAt),
    revokedAt: isoTimeOrNull(token.revokedAt),
  };
}
