// How a command ends: the exit statuses, and failures as one line for a person or JSON for a machine.

import { statusOf } from "../api/contract/error-status.ts";
import { ServerError } from "../client/failures.ts";
import { Unreachable, Untrusted } from "../client/unreachable.ts";
import { ConfigError } from "../config/config-error.ts";
import { AppError } from "../domain/errors.ts";
import { formatDuration } from "../lib/duration.ts";
import { toJson } from "./output/json.ts";
import { printableText } from "./output/printable.ts";
import { Interrupted } from "./terminal/interrupted.ts";
import type { Io } from "./terminal/io.ts";

export const exit = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  unreachable: 6,
  stillPending: 8,
  interrupted: 130,
} as const;

/** Ends a command with a status and a sentence. */
export class CliError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    status: number,
    message: string,
    options: { code?: string; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = options.code ?? "CLI_ERROR";
    this.details = options.details;
  }
}

export function usageError(message: string): CliError {
  return new CliError(exit.usage, message, { code: "USAGE" });
}

/** Reports a failure on stderr and answers the exit status. */
export function reportFailure(io: Io, error: unknown, asJson: boolean): number {
  const failure = toCliError(error);
  if (asJson) {
    const { code, message, details } = failure;
    io.note(`${toJson({ error: { code, message, ...(details ? { details } : {}) } })}\n`);
  } else {
    io.note(`${io.program}: ${printableText(failure.message)}\n`);
  }
  return failure.status;
}

function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof ConfigError) return usageError(error.message);
  if (error instanceof Unreachable) {
    const message = `${error.message}: ${whatHelps(error)}.`;
    return new CliError(exit.unreachable, message, { code: "UNREACHABLE" });
  }
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof ServerError) return fromServerError(error);
  if (isInterrupt(error)) {
    const message = error instanceof Interrupted ? error.message : "interrupted";
    return new CliError(exit.interrupted, message, { code: "INTERRUPTED" });
  }
  const { message, code } = error as NodeJS.ErrnoException;
  return new CliError(exit.failed, message, code ? { code } : {});
}

function whatHelps(error: Unreachable): string {
  if (error instanceof Untrusted) return "give its CA with --ca-file or PLATFORM_CA_FILE";
  if (error.proxy !== null) return "name the right proxy in HTTPS_PROXY, or the server in NO_PROXY";
  return "is `platform serve` running there? Use --db FILE to work on the file";
}

function fromAppError(error: AppError): CliError {
  const { code, retryAfterSeconds } = error;
  const again = retryAfterSeconds && `Again in ${formatDuration(retryAfterSeconds)}.`;
  const message = [error.message, again, hints[code]].filter(Boolean).join(" ");
  const details = { ...error.details, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) };
  const options = { code, ...(Object.keys(details).length > 0 ? { details } : {}) };
  return new CliError(exitStatusOf(error), message + issuesOf(error), options);
}

/** A code that only the server knows: its HTTP status tells the kind of failure. */
function fromServerError({ status, code, message, details }: ServerError): CliError {
  return new CliError(exitStatusOfHttp(status), message, { code, ...(details ? { details } : {}) });
}

function exitStatusOf(error: AppError): number {
  if (error.code === "AGENT_DISABLED") return exit.conflict;
  // Whether the action's own time is over or `--timeout`, nothing was run.
  if (error.code === "ACTION_PREPARE_TIMEOUT") return exit.stillPending;
  return exitStatusOfHttp(statusOf(error.code, "viewer"));
}

/** How a command ends whose call was answered with this status; below 400 it was done. */
export function exitStatusOfHttp(status: number): number {
  if (status < 400) return exit.done;
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 415:
    case 422:
      return exit.usage;
    case 401:
    case 403:
      return exit.notAllowed;
    case 404:
      return exit.notFound;
    case 409:
      return exit.conflict;
    case 503:
      return exit.unreachable;
    default:
      return exit.failed;
  }
}

const hints: Partial<Record<AppError["code"], string>> = {
  UNAUTHORIZED:
    "Sign in with `platformctl login`, set PLATFORM_API_KEY, or use --db FILE on the host.",
  AGENT_OFFLINE: "Add --queue to let the command wait for it.",
  AGENT_DISABLED: "Enable it with `agents enable`, or add --queue.",
};

/** What the server found wrong, a line each, when there is more than one thing. */
function issuesOf(error: AppError): string {
  const issues = error.details?.issues;
  if (!Array.isArray(issues) || issues.length < 2) return "";
  return issues.map((issue) => `\n  ${issue.path || "(whole)"}: ${issue.message}`).join("");
}

function isInterrupt(error: unknown): boolean {
  const name = (error as Error | null)?.name;
  return name === "ExitPromptError" || name === "Interrupted";
}
