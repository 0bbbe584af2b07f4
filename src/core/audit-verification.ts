// Verifies the whole audit trail: from the newest checkpoint, or the first row there ever was, to the
// newest row; and that the rows which are known from elsewhere are still in it.
// (`decisions.md` 7; `trust.md` "Audit"; docs/audit.md tells what is found and what is not)

import type { KeyObject } from "node:crypto";
import type { ChainLink } from "../domain/audit-events.ts";
import { isoTime } from "../lib/iso-time.ts";
import { auditHead, genesis } from "../store/audit-events.ts";
import { isGenuine, newestCheckpoint, type SignedLink } from "../store/audit-signatures.ts";
import type { Reader } from "../store/database.ts";
import { endsEarly, type Misfit, walkChain } from "./audit-chain.ts";
import { signedHeadProblem } from "./audit-signed-head.ts";
import type { Ctx } from "./context.ts";

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

/**
 * What `audit-events.verify` answers. The anchor is a head that the caller has kept. Rows that are
 * written meanwhile are not looked at; pruning meanwhile does no harm. A caller who leaves ends it.
 */
export async function verifyAuditEvents(ctx: Ctx, anchor: ChainLink | null) {
  const { core } = ctx;
  const named = anchor && { ...anchor, name: "the anchor" };
  // Before the newest row is read: it must be this one, or one behind it.
  const newest = core.auditHead.newest;
  const witnesses = [
    ...(named ? [named] : []),
    ...(newest ? [{ ...newest, name: "the service, which wrote it," }] : []),
  ];
  const found = await verifyTrail(core.db.read, core.auditKey, witnesses, () => !ctx.caller.gone);
  const { checked, firstSeq, lastSeq, head, checkpoint } = found;
  const broken = found.broken ?? (await brokenAtSignedHead(ctx));
  return {
    ok: broken === null,
    checked,
    firstSeq,
    lastSeq,
    head,
    checkpoint: checkpoint && { seq: checkpoint.seq, at: isoTime(checkpoint.at) },
    anchor: named && { seq: named.seq, state: anchorState(named, found) },
    broken,
  };
}

async function brokenAtSignedHead({ core }: Ctx): Promise<Misfit | null> {
  const problem = await signedHeadProblem(core, core.db.read);
  return problem && { seq: problem.seq, reason: problem.reason };
}

/** What can be said of the anchor: it is there, it is not, or the walk did not come to it. */
function anchorState(
  anchor: Witness,
  { pruned, broken, lastSeq }: Verification,
): "FOUND" | "MISSING" | "PRUNED" | "NOT_REACHED" {
  if (pruned.includes(anchor)) return "PRUNED";
  if (broken === null || anchor.seq < broken.seq) return "FOUND";
  return anchor.seq === broken.seq || anchor.seq > (lastSeq ?? 0) ? "MISSING" : "NOT_REACHED";
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
