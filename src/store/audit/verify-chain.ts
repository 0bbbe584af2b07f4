// Walks the audit chain row by row and finds the first that does not fit. A little at a time: the
// event loop turns between batches.

import type { KeyObject } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditEvent, ChainLink } from "../../domain/audit/audit-events.ts";
import type { Reader } from "../database.ts";
import { chainHash, readAuditEvents } from "./audit-events.ts";

/** Rows that are read and hashed before the event loop turns: about a millisecond. */
const rowsPerTurn = 100;

/** The first row that does not fit, and why. */
export interface Misfit {
  seq: number;
  reason: string;
}

export interface ChainWalk {
  /** Walks the rows behind this one, which is vouched for. */
  start: ChainLink;
  /** Where the trail ended when the walk began. */
  upTo: number;
  /** Sees each row that fits, in order; `false` ends the walk before it. */
  visit: (event: AuditEvent) => boolean;
}

export interface Walked {
  /** How many rows fit, one after the other. */
  checked: number;
  misfit: Misfit | null;
}

export async function walkChain(db: Reader, key: KeyObject, walk: ChainWalk): Promise<Walked> {
  const { start, upTo, visit } = walk;
  let last = start;
  let checked = 0;
  // From the very first row in the table: none may stand before the start.
  let after: number = Number.MIN_SAFE_INTEGER;
  while (last.seq < upTo) {
    const rows = await readAuditEvents(db, { after, upTo }, rowsPerTurn);
    if (rows.length === 0) return { checked, misfit: endsEarly(last.seq) };
    for (const row of rows) {
      const reason = whyNot(key, last, row);
      if (reason !== null) return { checked, misfit: { seq: row.seq, reason } };
      if (!visit(row)) return { checked, misfit: null };
      last = row;
      checked++;
    }
    after = last.seq;
    await nextTurn();
  }
  return { checked, misfit: null };
}

/** Whether this row was chained with the key behind that one. */
export function follows(key: KeyObject, before: ChainLink, row: AuditEvent): boolean {
  return whyNot(key, before, row) === null;
}

/** What is said of a trail that has no row behind this one, and should. */
export function endsEarly(lastSeq: number, before = "rows that it had"): Misfit {
  const end = lastSeq === 0 ? "the trail has no rows left" : `the trail ends at row ${lastSeq}`;
  return { seq: lastSeq + 1, reason: `${end}, before ${before}` };
}

function whyNot(key: KeyObject, before: ChainLink, row: AuditEvent): string | null {
  if (row.seq <= before.seq) return "it stands before the beginning of the chain";
  if (row.seq > before.seq + 1) return missing(before.seq + 1, row.seq - 1);
  if (hashOf(key, before.hash, row) === row.hash) return null;
  return "its hash does not follow from the row before, what it says, and the key";
}

function missing(from: number, to: number): string {
  return from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`;
}

/** Null for a row that no hash could have been made of. */
function hashOf(key: KeyObject, before: string, { seq, hash: _hash, ...event }: AuditEvent) {
  try {
    return chainHash(key, before, seq, event);
  } catch {
    return null;
  }
}
