// Makes it safe to repeat a call whose response was lost. A call that creates something has an
// Idempotency-Key. If its response is lost, the same call on the same page soon afterwards has the
// same key. (docs/decisions/0017-idempotency-keys.md)

import { randomBase62 } from "../../lib/base62.ts";
import { ApiError } from "./api-error.ts";
import { fillRandom } from "./random.ts";

const keyLength = 22;
/** After this time, a user who makes the same call wants to do the same thing again. */
const soonMs = 5 * 60_000;

interface Lost {
  key: string;
  /** In milliseconds, as of `performance.now()`. */
  at: number;
}

/** The calls whose outcome is unknown, by route and input. */
const lost = new Map<string, Lost>();

function textOf(route: string, input: object): string {
  return JSON.stringify([route, input]);
}

export function keyFor(route: string, input: object): string {
  const before = performance.now() - soonMs;
  for (const [call, { at }] of lost) if (at < before) lost.delete(call);
  return lost.get(textOf(route, input))?.key ?? randomBase62(keyLength, fillRandom);
}

/** `error` is null if the call has succeeded. */
export function noteOutcome(route: string, input: object, key: string, error: unknown): void {
  const call = textOf(route, input);
  const isRefused = error instanceof ApiError && error.status < 500;
  if (error !== null && !isRefused) lost.set(call, { key, at: performance.now() });
  // Another refusal says nothing about an earlier attempt whose response was lost.
  else if (error === null || isAboutKey(error)) lost.delete(call);
}

/** If the server refuses the key itself, another attempt needs a new one. */
function isAboutKey(error: unknown): boolean {
  return error instanceof ApiError && error.code.startsWith("IDEMPOTENCY_");
}

/** Call this when the user opens another page: there, the same call is a new one. */
export function forgetCalls(): void {
  lost.clear();
}
