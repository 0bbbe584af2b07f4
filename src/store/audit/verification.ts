// Verifies a whole audit trail, and compares rows that are known from elsewhere with it.

import { createSecretKey, type KeyObject } from "node:crypto";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { TrailWalk, WalkRequest } from "../../domain/audit/trail-walks.ts";
import type { Reader } from "../database.ts";
import { openReader, refusal } from "../engine/sqlite-file.ts";
import { readerOf } from "../engine/statements.ts";
import { loadKey } from "../files/key-files.ts";
import { auditHead, findAuditLink } from "./audit-events.ts";
import { genesis } from "./chain-hash.ts";
import { isGenuine, isPruned, newestCheckpoint, type SignedLink } from "./signatures.ts";
import { endsEarly, walkChain } from "./verify-chain.ts";

/** Opens its own connection. Throws AppError UNAVAILABLE if the file or key cannot be used. */
export async function walkTrailOf(
  { file, auditKeyFile }: WalkRequest,
  signal: AbortSignal,
  onReading: () => void = () => undefined,
): Promise<TrailWalk> {
  onReading();
  const key = createSecretKey(loadKey(auditKeyFile));
  const connection = openReader(file);
  try {
    const found = await walkTrail(readerOf(connection), key, () => !signal.aborted);
    signal.throwIfAborted();
    return found;
  } catch (error) {
    signal.throwIfAborted();
    throw refusal(file, (error as Error).message, error);
  } finally {
    connection.close();
  }
}

/** Stops at the first row for which `goOn` returns false. */
export async function walkTrail(
  db: Reader,
  key: KeyObject,
  goOn: () => boolean = () => true,
): Promise<TrailWalk> {
  while (true) {
    const checkpoint = await newestCheckpoint(db);
    const found = await walkFrom(db, key, checkpoint ?? null, goOn);
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
  goOn: () => boolean,
): Promise<TrailWalk> {
  const head = (await auditHead(db)) ?? null;
  const start: ChainLink = checkpoint ?? genesis;
  const from = checkpoint && { seq: checkpoint.seq, hash: checkpoint.hash, at: checkpoint.at };
  const nothing = { checked: 0, firstSeq: null, lastSeq: head?.seq ?? null, head };
  if (checkpoint && !isGenuine(key, "checkpoint", checkpoint)) {
    const broken = { seq: checkpoint.seq, reason: "the signature of the checkpoint is wrong" };
    return { ...nothing, checkpoint: from, broken };
  }
  let firstSeq: number | null = null;
  const { checked, misfit } = await walkChain(db, key, {
    start,
    upTo: head?.seq ?? start.seq,
    visit(row) {
      firstSeq ??= row.seq;
      return goOn();
    },
  });
  // The newest row is never pruned.
  const isCut = start.seq > 0 && (head?.seq ?? 0) <= start.seq;
  const broken = misfit ?? (isCut ? endsEarly(start.seq, "the rows that followed it") : null);
  return { ...nothing, firstSeq, checked, checkpoint: from, broken };
}

/** A row that is known from outside the trail. It must be in the trail or have been pruned. */
export interface Witness extends ChainLink {
  /** Completes the sentence "it is not the row that … names". */
  name: string;
}

export interface Testimony {
  checked: number;
  /** The first row that does not verify or that contradicts a witness. */
  broken: TrailWalk["broken"];
  /** The witnesses whose rows were pruned and therefore cannot be compared. */
  pruned: Witness[];
}

/** The witnesses must have been known before the trail was verified. */
export async function hearWitnesses(
  db: Reader,
  key: KeyObject,
  walk: TrailWalk,
  witnesses: readonly Witness[],
): Promise<Testimony> {
  const start: ChainLink = walk.checkpoint ?? genesis;
  const found: Testimony = { checked: walk.checked, broken: walk.broken, pruned: [] };
  for (const witness of witnesses) {
    const { seq, hash } = witness;
    if (seq < start.seq) {
      found.pruned.push(witness);
      continue;
    }
    // If an earlier row is broken, this row cannot be judged.
    if (found.broken && found.broken.seq <= Math.min(seq, (walk.lastSeq ?? 0) + 1)) continue;
    const link = seq === start.seq ? start : await findAuditLink(db, seq);
    if (link?.hash === hash) continue;
    if (!link && seq <= (walk.lastSeq ?? 0) && (await isPruned(db, key, seq))) continue;
    found.broken = link
      ? { seq, reason: `it is not the row that ${witness.name} names` }
      : endsEarly(walk.lastSeq ?? 0, `row ${seq}, which ${witness.name} names`);
    found.checked = Math.min(walk.checked, Math.max(0, found.broken.seq - 1 - start.seq));
  }
  return found;
}
