// The flags of commands that may need approval.

import { usageError } from "./exit.ts";
import { isRaw } from "./output/output.ts";

export function refuseWaitAndDetach(options: object): void {
  const { wait, detach } = options as { wait?: boolean; detach?: boolean };
  if (wait && detach) throw usageError("give --wait or --detach, not both.");
  if (detach && isRaw(options)) throw usageError("give -o output or --detach, not both.");
}

/** Returns the field `breakGlass` of a call's body, if the flag was given. */
export function givenBypass(options: object): { breakGlass?: string } {
  const { breakGlass } = options as { breakGlass?: string };
  return breakGlass === undefined ? {} : { breakGlass };
}
