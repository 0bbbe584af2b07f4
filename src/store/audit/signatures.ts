// What is signed of the audit chain, with the key that chains it: the checkpoint that pruning leaves,
// and the head as it was a moment ago. Who has the file without the key can delete a signature or put
// an older one back, and make no new one.

import { createHmac, type KeyObject } from "node:crypto";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Reader, Tx } from "../database.ts";
import { readSettings, writeSetting } from "../tables/settings.ts";

/** A row's place in the chain, with when and by which key that was vouched for. */
export interface SignedLink extends ChainLink {
  at: number;
  signature: string;
}

type Purpose = "checkpoint" | "head";

/** Whether the signature was made with this key for this very purpose. */
export function isGenuine(key: KeyObject, purpose: Purpose, link: SignedLink): boolean {
  return link.signature === signatureOf(key, purpose, link);
}

/** Has no line break in it, so it is never what the hash of a row is made of. */
function signatureOf(key: KeyObject, purpose: Purpose, link: Omit<SignedLink, "signature">) {
  const { seq, hash, at } = link;
  return createHmac("sha256", key).update(canonicalJson({ purpose, seq, hash, at })).digest("hex");
}

/** Rows up to this one are pruned, or about to be. */
export async function newestCheckpoint(db: Reader): Promise<SignedLink | undefined> {
  return db.get("SELECT seq, hash, at, signature FROM audit_checkpoints ORDER BY seq DESC LIMIT 1");
}

/** Whether the row of this number was pruned, as far as a genuine checkpoint says so. */
export async function isPruned(db: Reader, key: KeyObject, seq: number): Promise<boolean> {
  const checkpoint = await newestCheckpoint(db);
  return !!checkpoint && seq <= checkpoint.seq && isGenuine(key, "checkpoint", checkpoint);
}

/** Takes the place of all checkpoints before it; from now on rows up to it can be deleted. */
export async function moveCheckpoint(tx: Tx, key: KeyObject, to: ChainLink): Promise<void> {
  const { seq, hash } = to;
  await tx.run(
    "INSERT INTO audit_checkpoints (seq, hash, at, signature) VALUES (?, ?, ?, ?)",
    seq,
    hash,
    tx.now,
    signatureOf(key, "checkpoint", { seq, hash, at: tx.now }),
  );
  await tx.run("DELETE FROM audit_checkpoints WHERE seq < ?", seq);
}

const headSetting = "auditHead";

/** The head that was signed last; one that cannot be read is one that is not genuine. */
export async function readSignedHead(db: Reader): Promise<SignedLink | undefined> {
  const stored = (await readSettings(db))[headSetting];
  return stored === undefined ? undefined : toSignedLink(stored);
}

/** What was stored as one; when it is none, one that is not genuine. */
export function toSignedLink(stored: unknown): SignedLink {
  const { seq, hash, at, signature } = { ...(stored as Partial<SignedLink> | null) };
  const isReadable = Number.isSafeInteger(seq) && Number.isSafeInteger(at);
  if (!isReadable) return { seq: 0, hash: "", at: 0, signature: "" };
  return { seq: seq as number, hash: String(hash), at: at as number, signature: String(signature) };
}

export async function writeSignedHead(tx: Tx, key: KeyObject, head: ChainLink): Promise<void> {
  const link = { seq: head.seq, hash: head.hash, at: tx.now };
  const signature = signatureOf(key, "head", link);
  await writeSetting(tx, headSetting, { ...link, signature });
}
