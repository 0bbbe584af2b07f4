// How long requests during a wait may take.

/** The longest time that one request waits, in seconds. */
export const longestWait = 25;
/** Less than the usual timeout, so that a hanging server does not extend the wait. */
const responseSeconds = 10;

/** Returns the options of a request that the server may hold for this many seconds. */
export function timeoutForWait(seconds: number): { timeoutMs: number } {
  return { timeoutMs: (seconds + responseSeconds) * 1000 };
}
