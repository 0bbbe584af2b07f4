// Replaces the API's field names in errors with the flags that users know.

import { AppError, type Issue, validationFailed } from "../domain/errors.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { flagNamed } from "./nouns/words.ts";

/** Flags whose names differ from the API's field names. */
const flagOf: Record<string, string> = {
  agentId: "--agent",
  expiresAt: "--expires",
  expiresInSeconds: "--expires",
  deadlineSeconds: "--deadline",
  healthStatus: "--health",
  healthTimeoutSeconds: "--health-timeout",
  maxParallel: "--parallel",
  q: "--search",
};

export function byFlags(error: unknown, { options = [] }: CommandSpec): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return error;
  const issues = error.details?.issues as Issue[] | undefined;
  if (!Array.isArray(issues)) return error;
  const named = issues.map((issue) => withFlag(issue, options));
  if (named.every((issue, at) => issue === issues[at])) return error;
  return validationFailed(named, "call");
}

function withFlag(issue: Issue, options: readonly OptionSpec[]): Issue {
  const field = issue.path.split(".", 1)[0] ?? "";
  const flag = flagOf[field] ?? flagNamed(field);
  const isGiven = options.some(({ flags }) => flags.split(/[ ,]+/).includes(flag));
  return isGiven ? { path: flag, message: plainly(issue.message) } : issue;
}

function plainly(message: string): string {
  const words = /^Invalid option: expected one of (.+)$/.exec(message)?.[1];
  return words === undefined
    ? message
    : `must be one of ${words.replaceAll('"', "").replaceAll("|", ", ")}`;
}
