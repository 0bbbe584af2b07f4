// Makes a repeated call with the same Idempotency-Key return the first response.

import type { RouteRules } from "../api/contract/route.ts";
import type { Ctx } from "../core/context.ts";
import { findAnswer, fingerprintOf } from "../core/idempotency-keys.ts";
import { AppError } from "../domain/errors.ts";
import {
  idempotencyKeyRule,
  isIdempotencyKey,
  type KeyedCall,
} from "../domain/idempotency-keys.ts";
import type { JsonObject } from "../domain/payload/json.ts";

/** The parts of a call that a key identifies. */
export interface KeyableCall {
  route: string;
  /** With ids instead of codes. */
  params: unknown;
  query: unknown;
  body: unknown;
  key: string;
}

/**
 * Runs the call, or replays the stored response of an earlier one. If two calls are concurrent, the
 * second to commit is rolled back and returns the first one's response. Throws INVALID_REQUEST,
 * IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_SECRET_GONE, and whatever `run` throws.
 */
export async function onceOnly<T>(
  ctx: Ctx,
  spec: RouteRules,
  call: KeyableCall,
  { run, replay }: { run: (ctx: Ctx) => Promise<T>; replay: (data: JsonObject) => T },
): Promise<T> {
  const keyed = keyedCall(ctx, spec, call);
  const stored = await storedAnswer(ctx, keyed);
  if (stored) return replay(stored);
  try {
    return await run({ ...ctx, keyed });
  } catch (error) {
    // A concurrent call with this key may have succeeded and caused this error.
    const storedSince = await storedAnswer(ctx, keyed);
    if (storedSince) return replay(storedSince);
    throw error;
  }
}

function keyedCall(ctx: Ctx, spec: RouteRules, call: KeyableCall): KeyedCall {
  const { key, route, params, query, body } = call;
  if (!isIdempotencyKey(key)) {
    throw new AppError("INVALID_REQUEST", `The Idempotency-Key ${idempotencyKeyRule}.`);
  }
  return {
    key,
    route,
    fingerprint: fingerprintOf(ctx, [route, params ?? {}, query, body ?? {}]),
    shownOnce: typeof spec.idempotent === "object" ? spec.idempotent.shownOnce : null,
  };
}

async function storedAnswer(ctx: Ctx, keyed: KeyedCall): Promise<JsonObject | null> {
  const first = await findAnswer(ctx, keyed.key);
  if (!first) return null;
  // The first call may not be on disk yet. A client that gets its answer does not call again.
  await ctx.core.db.durable();
  if (first.fingerprint !== keyed.fingerprint) {
    throw new AppError(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key belongs to another call. Use a new key for each new call.",
      { details: { route: first.route } },
    );
  }
  if (keyed.shownOnce === null) return first.answer;
  const { id } = first.answer;
  throw new AppError(
    "IDEMPOTENCY_SECRET_GONE",
    `This call has already created ${id}. Its ${keyed.shownOnce} was in the first response and is not ` +
      "stored. If it is lost, revoke it and create another one with a new Idempotency-Key.",
    { details: { id, route: first.route } },
  );
}
