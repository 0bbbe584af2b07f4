// The flags of commands that may need approval.

import { usageError } from "./exit.ts";
import { isRaw } from "./output/output.ts";
import { printableLine } from "./output/printable.ts";

export function refuseWaitAndDetach(options: object): void {
  const { wait, detach } = options as { wait?: boolean; detach?: boolean };
  if (wait && detach) throw usageError("give --wait or --detach, not both.");
  if (detach && isRaw(options)) throw usageError("give -o output or --detach, not both.");
}

/**
 * Returns the question to ask before something runs, including what `--break-glass` does.
 * `policies` are the names of the policies that require approval; undefined if only the server
 * knows them.
 */
export function runQuestion(
  what: string,
  { breakGlass }: { breakGlass?: string },
  policies?: readonly string[],
): string {
  if (breakGlass === undefined || policies?.length === 0) return `${what}?`;
  const names = policies?.map(printableLine).join(" and ");
  const require = policies?.length === 1 ? "requires" : "require";
  return `${what} without the approval that ${names ?? "policies"} ${require}?`;
}

/** Returns the field `breakGlass` of a call's body, if the flag was given. */
export function givenBypass(options: object): { breakGlass?: string } {
  const { breakGlass } = options as { breakGlass?: string };
  return breakGlass === undefined ? {} : { breakGlass };
}
