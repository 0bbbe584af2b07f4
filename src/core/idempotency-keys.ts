// Stores the first response to each Idempotency-Key in the transaction of the change, so that
// neither exists without the other. (docs/decisions/0017-idempotency-keys.md)

import { createHmac } from "node:crypto";
import type { idempotencyKeys } from "../api/idempotency-keys.ts";
import { credentialOf, type Principal } from "../domain/access/principals.ts";
import { AppError } from "../domain/errors.ts";
import { idempotencyKeySeconds } from "../domain/limits.ts";
import type { JsonObject } from "../domain/payload/json.ts";
import { isoTime } from "../lib/iso-time.ts";
import { canonicalJson } from "../lib/json/canonical-json.ts";
import type { Reader, Tx } from "../store/database.ts";
import {
  deleteFirstAnswers,
  type FirstAnswer,
  findFirstAnswer,
  insertFirstAnswer,
} from "../store/tables/idempotency-keys.ts";
import type { Core, Ctx } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { inBatches } from "./short-transactions.ts";

export const handlers: HandlersOf<typeof idempotencyKeys> = {
  "idempotency-keys.get": (ctx, { query }) => getAnswer(ctx, query.key),
};

const keptMs = idempotencyKeySeconds * 1000;
/** Kept small, because responses can be large. */
const batch = 20;

/**
 * If another call with this key finished first, throws UNAVAILABLE, which rolls the change back.
 * Dispatch then returns that call's response.
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
  const isFirst = await insertFirstAnswer(tx, callerOf(principal), key, first);
  if (isFirst) return answer;
  throw new AppError("UNAVAILABLE", "Another call with this Idempotency-Key is in progress.", {
    retryAfterSeconds: 1,
  });
}

/**
 * Returns the first response to this key, or null. A response counts until `pruneAnswers` deletes
 * it, because a wall clock that jumps must not let a retry repeat the change.
 */
export function findAnswer({ core, principal }: Ctx, key: string): Promise<FirstAnswer | null> {
  return findFirstAnswer(core.db.read, callerOf(principal), key);
}

/** Applied plans are stored like responses: the plan's id is the key, and this is the caller. */
const plansCaller = "plans";

/** Returns the id of the command, or of the request for approval, that a plan created, or null. */
export async function effectOfPlan(db: Reader, planId: string): Promise<string | null> {
  const first = await findFirstAnswer(db, plansCaller, planId);
  return first && String(first.answer.approvalId ?? first.answer.commandId);
}

/** Returns false and changes nothing if the plan was already applied. */
export function rememberPlan(
  tx: Tx,
  planId: string,
  effect: { commandId: string } | { approvalId: string },
): Promise<boolean> {
  const first = { route: "plans.apply", fingerprint: "", answer: effect };
  return insertFirstAnswer(tx, plansCaller, planId, first);
}

async function getAnswer(ctx: Ctx, key: string) {
  const first = await findAnswer(ctx, key);
  if (!first) {
    const message = "This caller created nothing with this Idempotency-Key in the last 24 hours.";
    throw new AppError("IDEMPOTENCY_KEY_NOT_FOUND", message);
  }
  const { route, answer, createdAt } = first;
  const times = { createdAt: isoTime(createdAt), expiresAt: isoTime(createdAt + keptMs) };
  return { key, route, answer, ...times };
}

/** The hash is keyed, because a password in the request could otherwise be guessed from it. */
export function fingerprintOf({ core }: Ctx, asked: readonly unknown[]): string {
  const text = canonicalJson({ purpose: "idempotency-key", asked });
  return createHmac("sha256", core.auditKey).update(text).digest("hex");
}

/**
 * `now` is the time of the retention clock: if a response were deleted too early, a repeated call
 * would make its change twice.
 */
export function pruneAnswers(core: Core, now: number): Promise<number> {
  return inBatches(core, batch, (tx, limit) => deleteFirstAnswers(tx, now - keptMs, limit));
}

/** Returns the owner of the key. Two callers can use the same key independently. */
function callerOf(principal: Principal): string {
  if (principal.kind === "local") return `local:${principal.osUser}`;
  const id = credentialOf(principal);
  if (id === null) throw new Error("an Idempotency-Key without an owner");
  return id;
}
