// What a check of a configuration is: it looks at one thing, once, and changes nothing.

export type CheckState = "OK" | "WARNING" | "FAILURE";

export interface CheckResult {
  state: CheckState;
  /** What was found, on one line. */
  result: string;
}

export interface Check {
  /** Null when it is about the agent itself. */
  service: string | null;
  /** `health`, `config level`. */
  what: string;
  /** What it throws is a failure, too. */
  run(signal: AbortSignal): Promise<CheckResult>;
}

export function ok(result: string): CheckResult {
  return { state: "OK", result };
}

export function warning(result: string): CheckResult {
  return { state: "WARNING", result };
}

export function failure(result: string): CheckResult {
  return { state: "FAILURE", result };
}
