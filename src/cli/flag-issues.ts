// What the server found wrong with a value, told by the flag that gave it: the API's own name for it is of no
// help to whoever typed the flag.

import { AppError, type Issue, validationFailed } from "../domain/errors.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { flagNamed } from "./nouns/words.ts";

/** Flags that are not called as the API's field is. */
const flagOf: Record<string, string> = {
  agentId: "--agent",
  expiresAt: "--expires",
  expiresInSeconds: "--expires",
  healthStatus: "--health",
  q: "--search",
};

/** The error with flags in place of the fields that they gave; any other error as it is. */
export function byFlags(error: unknown, { options = [] }: CommandSpec): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return error;
  const issues = error.details?.issues as Issue[] | undefined;
  if (!Array.isArray(issues)) return error;
  const named = issues.map((issue) => withFlag(issue, options));
  if (named.every((issue, at) => issue === issues[at])) return error;
  return validationFailed(named, "command");
}

function withFlag(issue: Issue, options: readonly OptionSpec[]): Issue {
  const field = issue.path.split(".", 1)[0] ?? "";
  const flag = flagOf[field] ?? flagNamed(field);
  const isGiven = options.some(({ flags }) => flags.split(/[ ,]+/).includes(flag));
  return isGiven ? { path: flag, message: plainly(issue.message) } : issue;
}

/** `expected one of "A"|"B"`, as a person would say it. */
function plainly(message: string): string {
  const words = /^Invalid option: expected one of (.+)$/.exec(message)?.[1];
  return words === undefined
    ? message
    : `must be one of ${words.replaceAll('"', "").replaceAll("|", ", ")}`;
}
