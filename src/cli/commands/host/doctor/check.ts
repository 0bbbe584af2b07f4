// A check of `platform doctor`: its name, its finding, and what to do about the finding.

import type { Patient } from "./patient.ts";

/** SKIPPED: the check depends on another check that failed. */
export type CheckState = "OK" | "WARNING" | "FAILURE" | "SKIPPED";

export interface Finding {
  state: CheckState;
  found: string;
  /** What to do next; null if there is nothing to do. */
  advice: string | null;
}

export interface Check {
  name: string;
  /** The text shown as progress: "checking the disk". */
  doing: string;
  /** The check is skipped if this user cannot open the folder or the database. */
  needsAccess?: true;
  run: (patient: Patient) => Promise<Finding> | Finding;
}

export function ok(found: string): Finding {
  return { state: "OK", found, advice: null };
}

export function warning(found: string, advice: string): Finding {
  return { state: "WARNING", found, advice };
}

export function failure(found: string, advice: string): Finding {
  return { state: "FAILURE", found, advice };
}

export function skipped(found: string): Finding {
  return { state: "SKIPPED", found, advice: null };
}
