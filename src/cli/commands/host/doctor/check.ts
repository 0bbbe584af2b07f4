// What a check of `platform doctor` is: a name, what it finds, and what to do about it.

import type { Config } from "../../../../config/config.ts";
import type { CheckReport, Unaccounted } from "../../../../domain/storage/database-checks.ts";
import type { DatabaseFacts } from "../../../../domain/storage/restores.ts";
import type { DatabasePlace } from "../../../connecting/database-place.ts";
import type { Io } from "../../../terminal/io.ts";

/** SKIPPED: another check has failed that this one builds on. */
export type CheckState = "OK" | "WARNING" | "FAILURE" | "SKIPPED";

export interface Finding {
  state: CheckState;
  found: string;
  /** What to do next; null when there is nothing to do. */
  advice: string | null;
}

export interface Check {
  name: string;
  /** What goes on meanwhile: "looking at the disk". */
  doing: string;
  run: (patient: Patient) => Promise<Finding> | Finding;
}

/** What the checks look at. */
export interface Patient {
  io: Io;
  signal: AbortSignal;
  place: DatabasePlace;
  /** Null when it cannot be used; why is in `configProblem`. */
  config: Config | null;
  configProblem: string | null;
  /** Of variables that look mistyped. */
  configWarnings: string[];
  /** `--server`; null: where `serve` would listen. */
  server: string | null;
  ca: string | null;
  version: string;
  /** Why this user may not look at the folder or the database; null when it may. */
  denied: string | null;
  /** What is in the database; a text says why it cannot be read. Read once. */
  facts(): Promise<DatabaseFacts | string>;
  /** Users and keys that the trail does not account for; null where that cannot be told. */
  unaccounted(): Promise<Unaccounted | null>;
  /** What the long look has found; a text says why there was none. Taken once. */
  examination(): Promise<CheckReport | string>;
  /** The server's answer; null when there is none. Asked once. */
  answer(): Promise<ServerAnswer | null>;
}

export interface ServerAnswer {
  url: string;
  /** Why nothing sensible was answered; null when it was. */
  problem: string | null;
  /** Nobody listens there. */
  refused: boolean;
  status: string;
  /** What is wrong, when it says so. */
  why: string | null;
  version: string;
  /** The server's clock, less ours, in milliseconds. */
  clockAheadMs: number;
}

/** Of what lies in a folder that this user may not look into. */
export const outOfReach = "this user may not look at it";

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
