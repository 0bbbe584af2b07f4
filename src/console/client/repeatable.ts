// Makes it safe to repeat a call whose response was lost. A call that creates something has an
// Idempotency-Key. On the same page, the same call keeps its key until it has succeeded.
// (docs/decisions/0017-idempotency-keys.md)

import { randomBase62 } from "../../lib/base62.ts";
import { ApiError } from "./api-error.ts";
import { fillRandom } from "./random.ts";

const keyLength = 22;

/** The keys of the calls that have not succeeded yet, by the route and input of the call. */
const keys = new Map<string, string>();

/** Makes the call with its key. */
export async function repeatable<T>(
  route: string,
  input: object,
  make: (key: string) => Promise<T>,
): Promise<T> {
  const call = JSON.stringify([route, input]);
  const key = keys.get(call) ?? randomBase62(keyLength, fillRandom);
  keys.set(call, key);
  try {
    const reply = await make(key);
    keys.delete(call);
    return reply;
  } catch (error) {
    // If the server refuses the key itself, another attempt needs a new one.
    if (error instanceof ApiError && error.code.startsWith("IDEMPOTENCY_")) keys.delete(call);
    throw error;
  }
}

/** Call this when the user opens another page: there, the same call is a new one. */
export function forgetCalls(): void {
  keys.clear();
}
