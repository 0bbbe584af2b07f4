// Verifies the audit chain row by row, and yields to the event loop between batches.

import type { KeyObject } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditEvent, ChainLink } from "../../domain/audit/audit-events.ts";
import type { Reader } from "../database.ts";
import { readAuditEvents } from "./audit-events.ts";
import { chainHash } from "./chain-hash.ts";

/** Hashing this many rows takes about a millisecond. */
const rowsPerTurn = 100;

/** The first row that does not verify, and the reason. */
export interface InvalidRow {
  seq: number;
  reason: string;
}

interface ChainWalk {
  /** The walk begins after this row, which is trusted. */
  start: ChainLink;
  /** Whether to skip rows before the start. Otherwise, a row before the start is invalid. */
  skipsBefore?: boolean;
  /** The last row of the trail when the walk began. */
  upTo: number;
  /** Called with each verified row. If it returns false, the walk ends before that row. */
  visit: (event: AuditEvent) => boolean;
}

interface Walked {
  /** The number of consecutive rows that verify. */
  checked: number;
  invalidRow: InvalidRow | null;
}

export async function walkChain(db: Reader, key: KeyObject, walk: ChainWalk): Promise<Walked> {
  const { start, skipsBefore = false, upTo, visit } = walk;
  let last = start;
  let checked = 0;
  let after: number = skipsBefore ? start.seq : Number.MIN_SAFE_INTEGER;
  while (last.seq < upTo) {
    const rows = await readAuditEvents(db, { after, upTo }, rowsPerTurn);
    if (rows.length === 0) return { checked, invalidRow: endsEarly(last.seq) };
    for (const row of rows) {
      const reason = whyNot(key, last, row);
      if (reason !== null) return { checked, invalidRow: { seq: row.seq, reason } };
      if (!visit(row)) return { checked, invalidRow: null };
      last = row;
      checked++;
    }
    after = last.seq;
    await nextTurn();
  }
  return { checked, invalidRow: null };
}

/** Whether this row was chained to `before` with the key. */
export function follows(key: KeyObject, before: ChainLink, row: AuditEvent): boolean {
  return whyNot(key, before, row) === null;
}

/** Describes a trail that ends after this row although more rows existed. */
export function endsEarly(lastSeq: number, before = "rows that it once contained"): InvalidRow {
  const end = lastSeq === 0 ? "the trail has no rows left" : `the trail ends at row ${lastSeq}`;
  return { seq: lastSeq + 1, reason: `${end}, before ${before}` };
}

/** Returns null if this row's number directly follows `before`. */
export function gapBefore(seq: number, before: number): string | null {
  if (seq <= before) return "it is before the beginning of the chain";
  return seq > before + 1 ? missing(before + 1, seq - 1) : null;
}

function whyNot(key: KeyObject, before: ChainLink, row: AuditEvent): string | null {
  const gap = gapBefore(row.seq, before.seq);
  if (gap !== null) return gap;
  if (hashOf(key, before.hash, row) === row.hash) return null;
  return "its hash does not match the previous row, its content and the key";
}

function missing(from: number, to: number): string {
  return from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`;
}

/** Returns null if the row cannot be hashed. */
function hashOf(key: KeyObject, before: string, { seq, hash: _hash, ...event }: AuditEvent) {
  try {
    return chainHash(key, before, seq, event);
  } catch {
    return null;
  }
}
