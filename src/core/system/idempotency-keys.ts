// What a call with an Idempotency-Key was answered first. The use case that makes something stores its
// answer in the transaction of the change, so that neither exists without the other; the door
// (http/idempotency.ts) looks it up and returns it again. See "Idempotency" in docs/administration.md.
// (docs/decisions/0017-idempotency-keys.md)

import { createHmac } from "node:crypto";
import type { idempotencyKeys } from "../../api/idempotency-keys.ts";
import { AppError } from "../../domain/errors.ts";
import { idempotencyKeySeconds } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { Principal } from "../../domain/principals.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Tx } from "../../store/database.ts";
import {
  deleteFirstAnswers,
  type FirstAnswer,
  findFirstAnswer,
  insertFirstAnswer,
} from "../../store/tables/idempotency-keys.ts";
import type { Core, Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof idempotencyKeys> = {
  "idempotency-keys.get": (ctx, { query }) => getAnswer(ctx, query.key),
};

const keptMs = idempotencyKeySeconds * 1000;
/** Deleted in one transaction: answers may be large. */
const batch = 500;

/**
 * Stores the answer of a call with a key in the transaction of its change, and returns it. Throws
 * UNAVAILABLE, which undoes the change, when another call with this key was first; the door then returns
 * the answer of that one.
 */
export async function rememberAnswer<T extends object>(
  { principal, keyed }: Ctx,
  tx: Tx,
  answer: T,
): Promise<T> {
  if (!keyed) return answer;
  const { key, route, fingerprint, shownOnce } = keyed;
  const kept = { ...answer, ...(shownOnce ? { [shownOnce]: undefined } : {}) } as JsonObject;
  const first = { route, fingerprint, answer: kept };
  const isFirst = await insertFirstAnswer(tx, callerOf(principal), key, first, tx.now - keptMs);
  if (isFirst) return answer;
  throw new AppError("UNAVAILABLE", "Another call with this Idempotency-Key is under way.", {
    retryAfterSeconds: 1,
  });
}

/** The first answer to this call's key, from the last 24 hours; null when there is none. */
export function findAnswer({ core, principal }: Ctx, key: string): Promise<FirstAnswer | null> {
  return findFirstAnswer(core.db.read, callerOf(principal), key, core.now() - keptMs);
}

/** The same for whoever asks what became of a call. Throws IDEMPOTENCY_KEY_NOT_FOUND. */
async function getAnswer(ctx: Ctx, key: string) {
  const first = await findAnswer(ctx, key);
  if (!first) {
    throw new AppError(
      "IDEMPOTENCY_KEY_NOT_FOUND",
      "Nothing was made with this Idempotency-Key in the last 24 hours by this caller.",
    );
  }
  const { route, answer, createdAt } = first;
  return {
    key,
    route,
    answer,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(createdAt + keptMs),
  };
}

/**
 * A keyed hash of what is asked for. Keyed, because a password may be part of it: without the key beside
 * the database nobody can try passwords against it.
 */
export function fingerprintOf({ core }: Ctx, asked: readonly unknown[]): string {
  const text = canonicalJson({ purpose: "idempotency-key", asked });
  return createHmac("sha256", core.auditKey).update(text).digest("hex");
}

/** Deletes what is a day old. Returns how many. */
export async function pruneAnswers(core: Core): Promise<number> {
  // Not by a clock that has just jumped: an answer that is gone would let a change be made twice.
  if (core.statusClock.isDoubtful()) return 0;
  const before = core.statusClock.now() - keptMs;
  let count = 0;
  while (true) {
    const deleted = await core.db.write((tx) => deleteFirstAnswers(tx, before, batch));
    count += deleted;
    if (deleted < batch) return count;
  }
}

/** Whose key it is: the same key of another caller is another key. */
function callerOf(principal: Principal): string {
  switch (principal.kind) {
    case "agent":
      return principal.agentId;
    case "user":
      return principal.userId;
    case "apiKey":
      return principal.keyId;
    case "local":
      return `local:${principal.osUser}`;
    default:
      throw new Error("an Idempotency-Key of nobody");
  }
}
