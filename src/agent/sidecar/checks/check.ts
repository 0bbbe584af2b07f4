// A check inspects one thing, and changes nothing.

export type CheckState = "OK" | "WARNING" | "FAILURE";

export interface CheckResult {
  state: CheckState;
  /** The finding in one line. */
  result: string;
}

export interface Check {
  /** This is null for a check of the agent itself. */
  service: string | null;
  /** What is checked: `health`, `config level`. */
  what: string;
  /** An error that `run` throws counts as a failure. */
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
