// Words the API's errors for users of the command line: with flags instead of fields of the API,
// and with advice that names commands and flags.

import { AppError, type ErrorCode, type Issue, validationFailed } from "../domain/errors.ts";
import type { CommandSpec, OptionSpec, Options } from "./command.ts";
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

export function wordedFor({ options = [] }: CommandSpec, given: Options, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code !== "VALIDATION_FAILED") return withAgentAdvice(error, options, given);
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

/** Adds what to do about an agent that cannot receive commands. */
function withAgentAdvice(
  error: AppError,
  options: readonly OptionSpec[],
  given: Options,
): AppError {
  const hasQueue = options.some(({ flags }) => flags === "--queue");
  // With --if-unchanged, the agent must prepare the action first.
  const advice = agentAdvice(error.code, hasQueue && !given.queue && !given.ifUnchanged);
  return advice === null ? error : error.reworded(`${error.message} ${advice}`);
}

function agentAdvice(code: ErrorCode, canQueue: boolean): string | null {
  if (code === "AGENT_DISABLED")
    return `Enable it with \`agents enable\`${canQueue ? ", or add --queue" : ""}.`;
  if (code !== "AGENT_OFFLINE" || !canQueue) return null;
  return "Add --queue to let the command wait for the agent.";
}
