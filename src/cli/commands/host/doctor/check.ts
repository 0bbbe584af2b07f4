// A check of `platform doctor`: a name, what it finds, and what to do about it.

import type { Patient } from "./patient.ts";

/** SKIPPED: it depends on a check that failed. */
export type CheckState = "OK" | "WARNING" | "FAILURE" | "SKIPPED";

export interface Finding {
  state: CheckState;
  found: string;
  /** What to do next; null if nothing. */
  advice: string | null;
}

export interface Check {
  name: string;
  /** For the progress: "checking the disk". */
  doing: string;
  /** Skipped if this user cannot open the folder or the database. */
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
