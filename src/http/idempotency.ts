// Calls with an Idempotency-Key: the first answer is returned again instead of a second change. Applied by
// the door, so it holds for every way in. See "Idempotency" in docs/administration.md.

import type { RouteSpec } from "../api/contract/route.ts";
import type { Ctx } from "../core/context.ts";
import { findAnswer, fingerprintOf } from "../core/system/idempotency-keys.ts";
import { AppError } from "../domain/errors.ts";
import {
  idempotencyKeyRule,
  isIdempotencyKey,
  type KeyedCall,
} from "../domain/idempotency-keys.ts";
import type { JsonObject } from "../domain/payload/json.ts";

/** What the door was asked for. */
export interface Asked {
  route: string;
  params: object;
  query: unknown;
  body: unknown;
  idempotencyKey?: string | null | undefined;
}

/**
 * Runs the call, or returns what was answered the first time. `run` gets the context that the use case
 * stores its answer with, `replay` the data of that answer. Two calls at once both run: the one that
 * commits second is undone, and gets the answer of the first. Throws INVALID_REQUEST,
 * IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_SECRET_GONE, and what `run` throws.
 */
export async function onceOnly<T>(
  ctx: Ctx,
  spec: RouteSpec,
  asked: Asked,
  { run, replay }: { run: (ctx: Ctx) => Promise<T>; replay: (data: JsonObject) => T },
): Promise<T> {
  const key = asked.idempotencyKey;
  if (!spec.idempotent || key === undefined || key === null) return run(ctx);
  const keyed = keyedCall(ctx, spec, asked, key);
  const before = await answered(ctx, keyed);
  if (before) return replay(before);
  try {
    return await run({ ...ctx, keyed });
  } catch (error) {
    // Whatever it failed at (a name that is taken by now), another call may just have succeeded.
    const meanwhile = await answered(ctx, keyed);
    if (meanwhile) return replay(meanwhile);
    throw error;
  }
}

function keyedCall(ctx: Ctx, spec: RouteSpec, asked: Asked, key: string): KeyedCall {
  if (!isIdempotencyKey(key)) {
    throw new AppError("INVALID_REQUEST", `The Idempotency-Key ${idempotencyKeyRule}.`);
  }
  const { route, params, query, body } = asked;
  return {
    key,
    route,
    // The router makes its own kind of object for the parameters.
    fingerprint: fingerprintOf(ctx, [route, { ...params }, query, body ?? {}]),
    shownOnce: typeof spec.idempotent === "object" ? spec.idempotent.shownOnce : null,
  };
}

/** The data that was answered before; null when nothing was. */
async function answered(ctx: Ctx, keyed: KeyedCall): Promise<JsonObject | null> {
  const first = await findAnswer(ctx, keyed.key);
  if (!first) return null;
  if (first.fingerprint !== keyed.fingerprint) {
    throw new AppError(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key belongs to another call: use a new key for a new call.",
      { details: { route: first.route } },
    );
  }
  if (keyed.shownOnce === null) return first.answer;
  const { id } = first.answer;
  throw new AppError(
    "IDEMPOTENCY_SECRET_GONE",
    `This call has made ${id} already; its ${keyed.shownOnce} was in the first answer and is stored ` +
      "nowhere. If it is lost, revoke that one and make another with a new key.",
    { details: { id, route: first.route } },
  );
}
