// Verifies an audit trail, or only the rows after the end of an earlier verification. Also checks
// that rows known from outside the trail are in it.

import { createSecretKey, type KeyObject } from "node:crypto";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { TrailWalk, WalkRequest } from "../../domain/audit/trail-walks.ts";
import type { Reader } from "../database.ts";
import { refusal } from "../engine/sqlite/file.ts";
import { openReaderOf } from "../engine/sqlite/open-reader.ts";
import { loadKey } from "../files/key-files.ts";
import { auditHead, endOfNextRows, findAuditLink } from "./audit-events.ts";
import { genesis } from "./chain-hash.ts";
import {
  findVerifiedLink,
  isPruned,
  isSignatureValid,
  newestCheckpoint,
  type SignedLink,
} from "./signatures.ts";
import { endsEarly, gapBefore, type InvalidRow, walkChain } from "./verify-chain.ts";

/** Opens its own connection. Throws AppError UNAVAILABLE if the database or key cannot be used. */
export async function walkTrailOf(
  { place, incremental }: WalkRequest,
  signal: AbortSignal,
): Promise<TrailWalk> {
  const key = createSecretKey(loadKey(place.auditKeyFile));
  const opened = await openReaderOf(place);
  try {
    const shouldContinue = () => !signal.aborted;
    const found = await walkTrail(opened.read, key, { incremental, shouldContinue });
    signal.throwIfAborted();
    return found;
  } catch (error) {
    signal.throwIfAborted();
    throw refusal(place.name, (error as Error).message, error);
  } finally {
    await opened.close();
  }
}

interface WalkOptions {
  incremental?: boolean;
  /** The walk stops at the first row for which this returns false. */
  shouldContinue?: () => boolean;
}

export async function walkTrail(
  db: Reader,
  key: KeyObject,
  options: WalkOptions = {},
): Promise<TrailWalk> {
  while (true) {
    const checkpoint = await newestCheckpoint(db);
    const found = await walkFrom(db, key, checkpoint ?? null, options);
    if (found.broken === null) return found;
    // Rows that were pruned in the meantime are not missing.
    const now = await newestCheckpoint(db);
    if (now?.seq === checkpoint?.seq) return found;
  }
}

async function walkFrom(
  db: Reader,
  key: KeyObject,
  checkpoint: SignedLink | null,
  { incremental = false, shouldContinue = () => true }: WalkOptions,
): Promise<TrailWalk> {
  const verified = await findVerifiedLink(db, key);
  // The head is read after the verified link, so that it is never older than that link.
  const head = (await auditHead(db)) ?? null;
  const beginning: ChainLink = checkpoint ?? genesis;
  const since = incremental && verified && verified.seq > beginning.seq ? verified : null;
  const from = checkpoint && { seq: checkpoint.seq, hash: checkpoint.hash, at: checkpoint.at };
  const lastSeq = head?.seq ?? null;
  const nothing = { verified, since, checked: 0, firstSeq: null, lastSeq, head };
  if (checkpoint && !isSignatureValid(key, "checkpoint", checkpoint)) {
    const broken = { seq: checkpoint.seq, reason: "the signature of the checkpoint is wrong" };
    return { ...nothing, checkpoint: from, broken };
  }
  const gap = since && (await gapAtBeginning(db, beginning.seq, since.seq));
  if (gap) return { ...nothing, checkpoint: from, broken: gap };
  let firstSeq: number | null = null;
  const { checked, invalidRow } = await walkChain(db, key, {
    start: since ?? beginning,
    skipsBefore: since !== null,
    upTo: lastSeq ?? beginning.seq,
    visit(row) {
      firstSeq ??= row.seq;
      return shouldContinue();
    },
  });
  // The newest row is never pruned.
  const isCut = checkpoint !== null && (lastSeq ?? 0) <= checkpoint.seq;
  const broken =
    invalidRow ?? (isCut ? endsEarly(checkpoint.seq, "the rows that followed it") : null);
  return { ...nothing, firstSeq, checked, checkpoint: from, broken };
}

/** Checks only the number of the first row. It shows whether the oldest rows were deleted. */
async function gapAtBeginning(
  db: Reader,
  before: number,
  upTo: number,
): Promise<InvalidRow | null> {
  const first = await endOfNextRows(db, { after: Number.MIN_SAFE_INTEGER, upTo }, 1);
  const reason = first === undefined ? null : gapBefore(first, before);
  return first === undefined || reason === null ? null : { seq: first, reason };
}

/** A row that is known from outside the trail. It must be in the trail or have been pruned. */
export interface Witness extends ChainLink {
  /** Completes the sentence "it is not the row that … names". */
  name: string;
}

export interface WitnessCheck {
  checked: number;
  /** The first row that does not verify or that contradicts a witness. */
  broken: TrailWalk["broken"];
  /** The witnesses whose rows were pruned and therefore cannot be compared. */
  pruned: Witness[];
}

/** The witnesses must be older than the walk: a row that was added later would count as missing. */
export async function checkWitnesses(
  db: Reader,
  key: KeyObject,
  walk: TrailWalk,
  witnesses: readonly Witness[],
): Promise<WitnessCheck> {
  const beginning: ChainLink = walk.checkpoint ?? genesis;
  const start: ChainLink = walk.since ?? beginning;
  const found: WitnessCheck = { checked: walk.checked, broken: walk.broken, pruned: [] };
  for (const witness of witnesses) {
    const { seq, hash } = witness;
    if (seq < beginning.seq) {
      found.pruned.push(witness);
      continue;
    }
    // If an earlier row is broken, this row cannot be judged.
    if (found.broken && found.broken.seq <= Math.min(seq, (walk.lastSeq ?? 0) + 1)) continue;
    const link = seq === beginning.seq ? beginning : await findAuditLink(db, seq);
    if (link?.hash === hash) continue;
    if (!link && seq <= (walk.lastSeq ?? 0) && (await isPruned(db, key, seq))) continue;
    found.broken = contradiction(witness, link !== undefined, walk.lastSeq ?? 0);
    found.checked = Math.min(walk.checked, Math.max(0, found.broken.seq - 1 - start.seq));
  }
  return found;
}

function contradiction({ seq, name }: Witness, exists: boolean, lastSeq: number): InvalidRow {
  if (exists) return { seq, reason: `it is not the row that ${name} names` };
  if (seq > lastSeq) return endsEarly(lastSeq, `row ${seq}, which ${name} names`);
  return { seq, reason: `it is missing, but ${name} names it` };
}
