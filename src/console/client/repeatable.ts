// Makes it safe to repeat a call whose response was lost. A call that creates something has an
// Idempotency-Key. On the same page, the same call keeps its key until its outcome is known.
// (docs/decisions/0017-idempotency-keys.md)

import { randomBase62 } from "../../lib/base62.ts";
import { ApiError } from "./api-error.ts";
import { fillRandom } from "./random.ts";

const keyLength = 22;

/** The keys of the calls whose outcome is unknown, by the route and input of the call. */
const lost = new Map<string, string>();

function textOf(route: string, input: object): string {
  return JSON.stringify([route, input]);
}

export function keyFor(route: string, input: object): string {
  return lost.get(textOf(route, input)) ?? randomBase62(keyLength, fillRandom);
}

/** `error` is null if the call has succeeded. */
export function noteOutcome(route: string, input: object, key: string, error: unknown): void {
  const call = textOf(route, input);
  const isRefused = error instanceof ApiError && error.status < 500;
  if (error !== null && !isRefused) lost.set(call, key);
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
