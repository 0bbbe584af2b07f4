// Exit statuses, and how errors are reported: one line for people, or JSON for programs.

import { ServerError } from "../client/failures.ts";
import { Unreachable, Untrusted } from "../client/unreachable.ts";
import { ConfigError } from "../config/config-error.ts";
import { AppError, type ErrorCode, firstOf, type Issue, statusOf } from "../domain/errors.ts";
import type { FailureCode } from "../domain/guides/command-line-guide.ts";
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
  partlyFailed: 7,
  stillPending: 8,
  /**
   * The command is done, and `apply --exit-code` or `backup --unverified` asked it to report what
   * it found. `attention list --exit-code` returns 1.
   */
  found: 9,
  interrupted: 130,
} as const;

export class CliError extends Error {
  readonly status: number;
  readonly code: FailureCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    status: number,
    message: string,
    options: { code?: FailureCode | undefined; details?: Record<string, unknown> | undefined } = {},
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

/** Reports an error on stderr and returns the exit status. */
export function reportFailure(io: Io, error: unknown, asJson: boolean): number {
  const failure = toCliError(error);
  if (asJson) {
    const { code, message, details } = failure;
    io.note(`${toJson({ error: { code, message, details } })}\n`);
  } else {
    io.note(`${io.program}: ${printableText(failure.message)}\n`);
  }
  return failure.status;
}

export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof ConfigError) return usageError(error.message);
  if (error instanceof Unreachable) {
    const message = `${error.message}: ${whatHelps(error)}.`;
    return new CliError(exit.unreachable, message, { code: "UNREACHABLE" });
  }
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof ServerError) {
    const { status, message, details } = error;
    return new CliError(exitStatusOfHttp(status), message, { code: foreign(error.code), details });
  }
  if (error instanceof Interrupted) {
    return new CliError(exit.interrupted, error.message, { code: "INTERRUPTED" });
  }
  const { message, code } = error as NodeJS.ErrnoException;
  return new CliError(exit.failed, message, { code: foreign(code) });
}

/** A code of a newer server, or of the operating system. This program cannot explain it. */
function foreign(code: string | undefined): FailureCode | undefined {
  return code as FailureCode | undefined;
}

function whatHelps(error: Unreachable): string {
  if (error instanceof Untrusted) return "give its CA with --ca-file or PLATFORM_CA_FILE";
  if (error.proxy !== null) return "set the right proxy in HTTPS_PROXY, or the server in NO_PROXY";
  return "is `platform serve` running there? Use --db FILE to work on the database file";
}

function fromAppError(error: AppError): CliError {
  const { code, retryAfterSeconds } = error;
  const again = retryAfterSeconds && `Retry in ${formatDuration(retryAfterSeconds)}.`;
  const message = [messageOf(error), again, hints[code]].filter(Boolean).join(" ");
  const details = retryAfterSeconds ? { ...error.details, retryAfterSeconds } : error.details;
  return new CliError(exitStatusOf(code), message, { code, details });
}

export function exitStatusOf(code: ErrorCode): number {
  if (code === "AGENT_DISABLED") return exit.conflict;
  // The same status as when `--timeout` ends the wait for the agent. Both times, nothing was run.
  if (code === "ACTION_PREPARE_TIMEOUT") return exit.stillPending;
  if (code === "APPROVAL_REQUIRED") return exit.stillPending;
  return exitStatusOfHttp(statusOf(code, "viewer"));
}

export function exitStatusOfHttp(status: number): number {
  return status < 400 ? exit.done : (exitStatuses[status] ?? exit.failed);
}

const exitStatuses: Record<number, number> = {
  400: exit.usage,
  401: exit.notAllowed,
  403: exit.notAllowed,
  404: exit.notFound,
  405: exit.usage,
  409: exit.conflict,
  413: exit.usage,
  415: exit.usage,
  422: exit.usage,
  503: exit.unreachable,
};

const hints: Partial<Record<AppError["code"], string>> = {
  UNAUTHORIZED:
    "Sign in with `platformctl login`, set PLATFORM_API_KEY, or use --db FILE on the host.",
};

/** Lists all problems if there are several. The original message contains only the first one. */
function messageOf({ message, details }: AppError): string {
  const issues = details?.issues as Issue[] | undefined;
  if (!Array.isArray(issues) || issues.length < 2) return message;
  const first = firstOf(issues);
  const what = message.endsWith(` ${first}`) ? message.slice(0, -first.length - 1) : message;
  return what + issues.map((issue) => `\n  ${issue.path || "(whole)"}: ${issue.message}`).join("");
}
