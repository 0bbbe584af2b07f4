// Holds an audit trail against the head that was signed last, in the database and in the copy beside its
// key: what finds that its end was cut off, or all of it. (docs/decisions/0010-audit-trail.md)

import type { KeyObject } from "node:crypto";
import { basename } from "node:path";
import type { Reader } from "../database.ts";
import { hasContent } from "../files/content.ts";
import { auditHead, findAuditLink } from "./audit-events.ts";
import { readHeadCopy } from "./head-copy.ts";
import { isGenuine, isPruned, readSignedHead, type SignedLink } from "./signatures.ts";
import { endsEarly, type Misfit } from "./verify-chain.ts";

/** What a trail is verified with. */
export interface TrailKeys {
  auditKey: KeyObject;
  /** Where the copy of the signed head lies; it need not be there. */
  auditHeadFile: string;
}

export interface SignedHeadProblem extends Misfit {
  /** There is no signed head at all, so a new one takes nothing away. */
  isMissing: boolean;
  /** The number of the row that was signed; 0 when there is none. */
  signedSeq: number;
}

/** Whether the trail still has the row that was signed as its head. Null when all is well. */
export async function signedHeadProblem(
  { auditKey, auditHeadFile }: TrailKeys,
  db: Reader,
): Promise<SignedHeadProblem | null> {
  const copy = readHeadCopy(auditHeadFile);
  const signed = await readSignedHead(db);
  const heads = [
    { link: copy, what: `the trail's head in ${basename(auditHeadFile)}` },
    { link: signed, what: "the trail's head" },
  ];
  for (const { link, what } of heads) {
    const misfit = link && (await misfitOf(auditKey, db, link, what));
    if (misfit) return { ...misfit, isMissing: false, signedSeq: link.seq };
  }
  // The first row signs it.
  if (signed || !(await hasContent(db))) return null;
  const lastSeq = (await auditHead(db))?.seq ?? 0;
  const reason = "the signed head of the trail is missing";
  return { seq: lastSeq + 1, reason, isMissing: true, signedSeq: 0 };
}

async function misfitOf(
  key: KeyObject,
  db: Reader,
  link: SignedLink,
  what: string,
): Promise<Misfit | null> {
  const { seq, hash } = link;
  if (!isGenuine(key, "head", link)) return { seq, reason: `the signature of ${what} is wrong` };
  const row = await findAuditLink(db, seq);
  if (row?.hash === hash) return null;
  if (row) return { seq, reason: `it is not the row that was signed as ${what}` };
  const lastSeq = (await auditHead(db))?.seq ?? 0;
  if (seq > lastSeq) return endsEarly(lastSeq, `row ${seq}, which was signed as ${what}`);
  if (await isPruned(db, key, seq)) return null;
  return { seq, reason: `it is missing, and was signed as ${what}` };
}
