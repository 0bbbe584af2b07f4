// Moves of all data to another database. (docs/decisions/0024-moving-a-database.md)

import { isoTime } from "../../lib/iso-time.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { ChainLink } from "../audit/audit-events.ts";

/** The mark that a move leaves in its source. No server opens a database with this mark. */
export interface MovedTo {
  /** Identifies the move in both databases. */
  id: string;
  /** The name of the target, without a password. */
  to: string;
  /** In Unix milliseconds. */
  at: number;
  /** False until it is certain that the target has the data. */
  done: boolean;
}

/**
 * Returns what happened to the data of the database `name`, and what to do about it. Neither text
 * ends with a full stop.
 */
export function describeMark(name: string, mark: MovedTo): { found: string; advice: string } {
  const { to, at, done } = mark;
  const again = `platform db reactivate --db ${shellWord(name)}`;
  return done
    ? {
        found: `its data was moved to ${to} on ${isoTime(at)}`,
        advice: `Use that database. To use this one again instead, run: ${again}`,
      }
    : {
        found: `the move of its data to ${to} on ${isoTime(at)} did not report its end`,
        advice: `Run the same platform db move again to finish it. To use this database instead, run: ${again}`,
      };
}

/** The metadata of the row `database.moved`. */
export interface MoveFacts {
  moveId: string;
  /** The names of the databases, without passwords. */
  from: string;
  to: string;
  rows: number;
  /** How many rows each table has. */
  tables: Record<string, number>;
  /**
   * How many texts contained NUL characters or lone surrogates, which PostgreSQL cannot store.
   * U+FFFD replaced these characters.
   */
  replacedTexts: number;
  /** How many rows of the audit trail were verified in the target. */
  auditVerified: number;
  /**
   * Why the trail could not be verified, if `--unverified` has accepted that; null if it was
   * verified.
   */
  auditProblem: string | null;
}

export interface MoveReport extends MoveFacts {
  /** The row `database.moved`, which follows the source's newest row. */
  auditHead: ChainLink;
}

type MoveProblem =
  | "DATABASE_IN_USE"
  | "TARGET_NOT_EMPTY"
  | "SCHEMA_NOT_CURRENT"
  | "AUDIT_NOT_VERIFIED"
  | "DATABASE_MOVED"
  | "OUTCOME_UNKNOWN";

/**
 * Why a move is refused. The source is unchanged and the target is empty, unless the message says
 * otherwise.
 */
export class MoveRefused extends Error {
  readonly code: MoveProblem;

  constructor(code: MoveProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** How far a move is. `total` is 0 if it is not known. */
export type OnMoveProgress = (doing: string, done: number, total: number) => void;
