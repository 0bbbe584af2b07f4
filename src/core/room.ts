// Limits on how many things can be stored, so that one caller cannot store them without end.
// (src/domain/limits.ts has the numbers.)

import { validationFailed } from "../domain/errors.ts";

/** Throws VALIDATION_FAILED if there are `most` already. `advice` says how to make room. */
export function requireRoom(stored: number, most: number, things: string, advice: string): void {
  if (stored < most) return;
  const message = `there are already ${most} ${things}, the maximum: ${advice}`;
  throw validationFailed([{ path: "", message }]);
}
