// Detects that the last rows of an audit trail were deleted: checks that the trail still has the
// rows that were signed as its head or as the end of a verification.
// (docs/decisions/0010-audit-trail.md)

import type { KeyObject } from "node:crypto";
import { basename } from "node:path";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { Reader } from "../database.ts";
import { hasContent } from "../files/content.ts";
import { auditHead, findAuditLink } from "./audit-events.ts";
import { readHeadCopy } from "./head-copy.ts";
import {
  findVerifiedLink,
  isPruned,
  isSignatureValid,
  readSignedHead,
  type SignedLink,
} from "./signatures.ts";
import { endsEarly, type InvalidRow } from "./verify-chain.ts";

export interface TrailKeys {
  auditKey: KeyObject;
  /** The path of the copy of the signed head, which may be missing. */
  auditHeadFile: string;
}

export interface SignedHeadProblem extends InvalidRow {
  /** Whether no signed head exists. If so, writing a new one loses nothing. */
  isMissing: boolean;
  /** Whether the signed row is gone, or another row has its number. */
  isLost: boolean;
  /** The number of the signed row; 0 if there is no signed head. */
  signedSeq: number;
}

/**
 * Returns null if the trail still has the rows that were signed. Pass `copy` if the copy of the
 * signed head was read before the database; null means that there was none.
 */
export async function signedHeadProblem(
  { auditKey, auditHeadFile }: TrailKeys,
  db: Reader,
  copy: SignedLink | null = readHeadCopy(auditHeadFile) ?? null,
): Promise<SignedHeadProblem | null> {
  const signed = await readSignedHead(db);
  const heads = [
    { link: copy, what: `the trail's head in ${basename(auditHeadFile)}` },
    { link: signed, what: "the trail's head" },
  ];
  for (const { link, what } of heads) {
    if (!link) continue;
    const isGenuine = isSignatureValid(auditKey, "head", link);
    const invalidRow = isGenuine
      ? await invalidRowOf(auditKey, db, link, what)
      : { seq: link.seq, reason: `the signature of ${what} is wrong` };
    if (invalidRow) {
      return { ...invalidRow, isMissing: false, isLost: isGenuine, signedSeq: link.seq };
    }
  }
  const verified = await findVerifiedLink(db, auditKey);
  const what = "the end of an earlier verification";
  const invalidRow = verified && (await invalidRowOf(auditKey, db, verified, what));
  if (invalidRow) return { ...invalidRow, isMissing: false, isLost: true, signedSeq: verified.seq };
  // A database without content has no signed head. The first audit row creates it.
  if (signed || !(await hasContent(db))) return null;
  const lastSeq = (await auditHead(db))?.seq ?? 0;
  const reason = "the signed head of the trail is missing";
  return { seq: lastSeq + 1, reason, isMissing: true, isLost: false, signedSeq: 0 };
}

async function invalidRowOf(
  key: KeyObject,
  db: Reader,
  { seq, hash }: ChainLink,
  what: string,
): Promise<InvalidRow | null> {
  const row = await findAuditLink(db, seq);
  if (row?.hash === hash) return null;
  if (row) return { seq, reason: `it is not the row that was signed as ${what}` };
  const lastSeq = (await auditHead(db))?.seq ?? 0;
  if (seq > lastSeq) return endsEarly(lastSeq, `row ${seq}, which was signed as ${what}`);
  if (await isPruned(db, key, seq)) return null;
  return { seq, reason: `it is missing, but was signed as ${what}` };
}
