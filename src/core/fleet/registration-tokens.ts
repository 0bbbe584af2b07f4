// Registration tokens, with which agents register.

import type { registrationTokens } from "../../api/registration-tokens.ts";
import { mintToken } from "../../domain/access/credentials.ts";
import { AppError, found, requireRoom } from "../../domain/errors.ts";
import { expiryOf } from "../../domain/expiry.ts";
import type { Labels } from "../../domain/fleet/labels.ts";
import {
  currentTokenStatus,
  type RegistrationToken,
} from "../../domain/fleet/registration-tokens.ts";
import { maxActiveRegistrationTokens } from "../../domain/limits.ts";
import { isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findAgentByCode } from "../../store/tables/fleet/agents.ts";
import {
  countActiveTokens,
  deleteRegistrationToken as deleteStoredToken,
  expireRegistrationTokens,
  findRegistrationToken,
  insertRegistrationToken,
  listRegistrationTokens as listStoredTokens,
  revokeRegistrationToken as revokeStoredToken,
} from "../../store/tables/fleet/registration-tokens.ts";
import { hashToken } from "../access/credentials.ts";
import { audit, makerOf } from "../audit/trail.ts";
import { bulkReader, type Core, type Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { inBatches } from "../short-transactions.ts";
import { isOwner, requireMayAssign } from "./assigned-labels.ts";

const batch = 50;

export const handlers: HandlersOf<typeof registrationTokens> = {
  "registration-tokens.create": (ctx, { body }) => createRegistrationToken(ctx, body),
  "registration-tokens.list": async (ctx, { query }) => {
    const now = ctx.core.now();
    const { items, total } = await listStoredTokens(bulkReader(ctx), query, now);
    return { items: items.map((token) => toView(token, now)), total };
  },
  "registration-tokens.get": async ({ core }, { params }) =>
    toView(await requireToken(core.db.read, params.tokenId), core.now()),
  "registration-tokens.revoke": (ctx, { params }) => revokeRegistrationToken(ctx, params.tokenId),
  "registration-tokens.delete": (ctx, { params }) => deleteRegistrationToken(ctx, params.tokenId),
};

type Wanted = Body<typeof registrationTokens, "registration-tokens.create">;

/** Only this response contains the token in plain text. */
async function createRegistrationToken(ctx: Ctx, wanted: Wanted) {
  const { core } = ctx;
  requireMayAssign(ctx, wanted.labels ?? {});
  const plain = mintToken("registration", core.fillRandom);
  return core.db.write(async (tx) => {
    const labels = wanted.labels ?? (await labelsToKeep(ctx, tx, wanted.agentCode));
    const created: RegistrationToken = {
      id: core.newId("rtk"),
      name: wanted.name ?? null,
      agentCode: wanted.agentCode ?? null,
      replace: wanted.replace ?? false,
      labels,
      ownerMade: isOwner(ctx),
      status: "ACTIVE",
      createdBy: makerOf(ctx.principal),
      createdAt: tx.now,
      expiresAt: expiryOf(wanted, tx.now, core.settings.registrationTokenTtlSeconds),
      usedAt: null,
      usedByAgentId: null,
      usedByAgentCode: null,
      revokedAt: null,
    };
    const active = await countActiveTokens(tx, tx.now);
    const advice = "use or revoke some first, or let them expire";
    requireRoom(active, maxActiveRegistrationTokens, "active registration tokens", advice);
    await insertRegistrationToken(tx, created, hashToken(plain));
    await auditToken(ctx, tx, created, "registration_token.created", {
      expiresAt: isoTimeOrNull(created.expiresAt),
      agentCode: created.agentCode,
      replace: created.replace,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
    });
    return rememberAnswer(ctx, tx, { ...toView(created, tx.now), token: plain });
  });
}

/**
 * An agent can register again only with a token that has the labels that are assigned to the agent.
 */
async function labelsToKeep(ctx: Ctx, tx: Tx, agentCode = ""): Promise<Labels> {
  const agent = isOwner(ctx) ? await findAgentByCode(tx, agentCode) : null;
  return agent?.assignedLabels ?? {};
}

/** An agent that registered with the token keeps its own token. */
async function revokeRegistrationToken(ctx: Ctx, id: string) {
  return ctx.core.db.write(async (tx) => {
    const before = await requireToken(tx, id);
    if (await revokeStoredToken(tx, id)) {
      const from = currentTokenStatus(before, tx.now);
      await auditToken(ctx, tx, before, "registration_token.revoked", { from });
    }
    return toView(await requireToken(tx, id), tx.now);
  });
}

async function deleteRegistrationToken(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    const token = await requireToken(tx, id);
    const status = currentTokenStatus(token, tx.now);
    if (status === "ACTIVE") {
      const message = "The token can still register an agent: revoke it before you delete it.";
      throw new AppError("REGISTRATION_TOKEN_ACTIVE", message, { details: { status } });
    }
    await deleteStoredToken(tx, id);
    await auditToken(ctx, tx, token, "registration_token.deleted", { status });
  });
  return { id, deleted: true as const };
}

/** Stores the final status EXPIRED of tokens whose time is up. */
export function expireTokens(core: Core, now: number): Promise<number> {
  return inBatches(core, batch, (tx, limit) => expireRegistrationTokens(tx, now, limit));
}

async function requireToken(db: Reader, id: string): Promise<RegistrationToken> {
  const token = await findRegistrationToken(db, id);
  return found(token, "REGISTRATION_TOKEN_NOT_FOUND", `registration token ${id}`);
}

function auditToken(
  ctx: Ctx,
  tx: Tx,
  token: RegistrationToken,
  action: `registration_token.${"created" | "revoked" | "deleted"}`,
  facts: object,
): Promise<void> {
  return audit(ctx, tx, { action, targetId: token.id, metadata: { name: token.name, ...facts } });
}

function toView({ usedByAgentCode: code, ownerMade: _, ...token }: RegistrationToken, now: number) {
  const times = isoTimes(token, "createdAt", "expiresAt", "usedAt", "revokedAt");
  const { usedByAgentId: id } = token;
  const agent = id === null || code === null ? null : { id, code };
  return { ...token, ...times, status: currentTokenStatus(token, now), agent };
}
