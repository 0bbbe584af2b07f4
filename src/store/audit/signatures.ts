// Signs places in the audit chain. Nobody can create a signature without the key, but anyone who
// can write to the file can delete a signature or restore an older one.

import { createHmac, type KeyObject } from "node:crypto";
import type BetterSqlite3 from "better-sqlite3";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { VerifiedLink } from "../../domain/audit/trail-walks.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Reader, Tx } from "../database.ts";
import { run } from "../sql-tag.ts";
import { deleteSetting, findSetting, writeSetting } from "../tables/settings.ts";

/** A row's place in the chain, with the time and signature that confirm it. */
export interface SignedLink extends ChainLink {
  at: number;
  signature: string;
}

type Purpose = "checkpoint" | "head";

export function isSignatureValid(key: KeyObject, purpose: Purpose, link: SignedLink): boolean {
  return link.signature === signatureOf(key, purpose, link);
}

function signatureOf(key: KeyObject, purpose: Purpose, link: Omit<SignedLink, "signature">) {
  const { seq, hash, at } = link;
  return sign(key, { purpose, seq, hash, at });
}

/**
 * Each purpose leads to a different signature. The signed text has no line break, so it never
 * equals the text that a row's hash covers.
 */
function sign(key: KeyObject, content: { purpose: string } & JsonObject): string {
  return createHmac("sha256", key).update(canonicalJson(content)).digest("hex");
}

/** The rows up to the newest checkpoint are deleted, or will be soon. */
export async function newestCheckpoint(db: Reader): Promise<SignedLink | undefined> {
  return db.get("SELECT seq, hash, at, signature FROM audit_checkpoints ORDER BY seq DESC LIMIT 1");
}

/** Whether a genuine checkpoint confirms that this row was pruned. */
export async function isPruned(db: Reader, key: KeyObject, seq: number): Promise<boolean> {
  const checkpoint = await newestCheckpoint(db);
  return !!checkpoint && seq <= checkpoint.seq && isSignatureValid(key, "checkpoint", checkpoint);
}

/** Replaces all earlier checkpoints. After that, the rows up to `to` can be deleted. */
export async function moveCheckpoint(tx: Tx, key: KeyObject, to: ChainLink): Promise<void> {
  const { seq, hash } = to;
  const signature = signatureOf(key, "checkpoint", { seq, hash, at: tx.now });
  await run(tx)`INSERT INTO audit_checkpoints (seq, hash, at, signature)
     VALUES (${seq}, ${hash}, ${tx.now}, ${signature})`;
  await run(tx)`DELETE FROM audit_checkpoints WHERE seq < ${seq}`;
}

const headSetting = "auditHead";

export async function readSignedHead(db: Reader): Promise<SignedLink | undefined> {
  const stored = await findSetting(db, headSetting);
  return stored === undefined ? undefined : toSignedLink(stored);
}

/** If the stored link is malformed, returns one with an invalid signature. */
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

const verifiedSetting = "auditVerified";

/** Returns null if no link is stored, or if it was not signed with this key as a verified link. */
export async function findVerifiedLink(db: Reader, key: KeyObject): Promise<VerifiedLink | null> {
  const stored = await findSetting(db, verifiedSetting);
  const { seq, hash, at, signature } = toSignedLink(stored);
  const { fullAt } = Object(stored);
  if (!Number.isSafeInteger(fullAt)) return null;
  const place: VerifiedLink = { seq, hash, at, fullAt };
  return signature === signatureOfVerified(key, place) ? place : null;
}

/** Call this only after a successful verification up to this row. */
export async function writeVerifiedLink(
  tx: Tx,
  key: KeyObject,
  place: VerifiedLink,
): Promise<void> {
  const { seq, hash, at, fullAt } = place;
  const signature = signatureOfVerified(key, place);
  await writeSetting(tx, verifiedSetting, { seq, hash, at, fullAt, signature });
}

/** Makes the next verification read the whole trail. */
export function dropVerifiedLink(tx: Tx): Promise<void> {
  return deleteSetting(tx, verifiedSetting);
}

/** Like `dropVerifiedLink`, for a database that no server is using. */
export function forgetVerifiedLink(connection: BetterSqlite3.Database): void {
  connection.prepare("DELETE FROM settings WHERE key = ?").run(verifiedSetting);
}

function signatureOfVerified(key: KeyObject, { seq, hash, at, fullAt }: VerifiedLink): string {
  return sign(key, { purpose: "verified", seq, hash, at, fullAt });
}

const keySetting = "auditKey";

/** Returns false if the database was marked with another key. */
export async function markWithKey(tx: Tx, key: KeyObject): Promise<boolean> {
  const mark = sign(key, { purpose: "key" });
  const stored = await findSetting(tx, keySetting);
  if (stored === undefined) await writeSetting(tx, keySetting, mark);
  return stored === undefined || stored === mark;
}
