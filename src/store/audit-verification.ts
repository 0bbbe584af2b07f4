// Walks a whole audit trail: from the newest checkpoint, or the first row there ever was, to the newest
// row; and looks whether the rows that are known from elsewhere are still in it. (`trust.md` "Audit")

import type { KeyObject } from "node:crypto";
import type { ChainLink } from "../domain/audit-events.ts";
import { endsEarly, type Misfit, walkChain } from "./audit-chain.ts";
import { auditHead, genesis } from "./audit-events.ts";
import { isGenuine, newestCheckpoint, type SignedLink } from "./audit-signatures.ts";
import type { Reader } from "./database.ts";

/** A row that is known from outside the trail: it must be there, or have been pruned. */
export interface Witness extends ChainLink {
  /** Who knows of it: ends the sentence "it is not the row that … names". */
  name: string;
}

export interface Verification {
  /** How many rows fit, from the first on. */
  checked: number;
  firstSeq: number | null;
  lastSeq: number | null;
  /** The newest row when it began. */
  head: ChainLink | null;
  checkpoint: SignedLink | null;
  broken: Misfit | null;
  /** Witnesses that are pruned: nothing can be said of them. */
  pruned: Witness[];
}

/** Walks a trail with the key that it was chained with. `goOn` is asked at every row. */
export async function verifyTrail(
  db: Reader,
  key: KeyObject,
  witnesses: readonly Witness[],
  goOn: () => boolean = () => true,
): Promise<Verification> {
  while (true) {
    const checkpoint = await newestCheckpoint(db);
    const found = await verifyFrom(db, key, checkpoint ?? null, witnesses, goOn);
    if (found.broken === null) return found;
    // Rows that were pruned under our hands are not missing.
    const now = await newestCheckpoint(db);
    if (now?.seq === checkpoint?.seq) return found;
  }
}

async function verifyFrom(
  db: Reader,
  key: KeyObject,
  checkpoint: SignedLink | null,
  witnesses: readonly Witness[],
  goOn: () => boolean,
): Promise<Verification> {
  const head = (await auditHead(db)) ?? null;
  const start: ChainLink = checkpoint ?? genesis;
  const nothing = { checked: 0, firstSeq: null, lastSeq: head?.seq ?? null, head, checkpoint };
  if (checkpoint && !isGenuine(key, "checkpoint", checkpoint)) {
    const broken = { seq: checkpoint.seq, reason: "the signature of the checkpoint is wrong" };
    return { ...nothing, broken, pruned: [] };
  }
  const pruned = witnesses.filter(({ seq }) => seq < start.seq);
  let broken = witnessProblem(start, witnesses);
  if (broken) return { ...nothing, broken, pruned };

  let firstSeq: number | null = null;
  const walked = await walkChain(db, key, {
    start,
    upTo: head?.seq ?? start.seq,
    visit(row) {
      firstSeq ??= row.seq;
      broken = witnessProblem(row, witnesses);
      return broken === null && goOn();
    },
  });
  broken ??= walked.misfit ?? missedAtEnd(head?.seq ?? 0, start, witnesses);
  return { ...nothing, firstSeq, checked: walked.checked, broken, pruned };
}

function witnessProblem({ seq, hash }: ChainLink, witnesses: readonly Witness[]): Misfit | null {
  const witness = witnesses.find((each) => each.seq === seq && each.hash !== hash);
  return witness ? { seq, reason: `it is not the row that ${witness.name} names` } : null;
}

/** Whether there should be more rows behind the last one. */
function missedAtEnd(
  lastSeq: number,
  start: ChainLink,
  witnesses: readonly Witness[],
): Misfit | null {
  // The newest row is never pruned.
  if (start.seq > 0 && lastSeq <= start.seq) return endsEarly(start.seq, "the rows behind it");
  const missed = witnesses.find(({ seq }) => seq > lastSeq);
  return missed ? endsEarly(lastSeq, `row ${missed.seq}, which ${missed.name} names`) : null;
}
