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
  /** The subject of the check: `health`, `config level`. */
  what: string;
  /** An error that `run` throws counts as a failure. */
  run(signal: AbortSignal): Promise<CheckResult>;
}

const resultOf =
  (state: CheckState) =>
  (result: string): CheckResult => ({ state, result });

export const ok = resultOf("OK");
export const warning = resultOf("WARNING");
export const failure = resultOf("FAILURE");
