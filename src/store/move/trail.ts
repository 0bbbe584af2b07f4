// Checks the audit trail before and after a move, and appends the row about the move.

import { createSecretKey, type KeyObject } from "node:crypto";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type MoveFacts, MoveRefused, type OnMoveProgress } from "../../domain/storage/moves.ts";
import type { FillRandom } from "../../lib/random.ts";
import { createIdFactory } from "../../lib/ulid.ts";
import { appendAuditEvents, auditHead } from "../audit/audit-events.ts";
import { headCopyFileOf } from "../audit/head-copy.ts";
import { requireKeyOfTrail } from "../audit/key-check.ts";
import { writeSignedHead } from "../audit/signatures.ts";
import { type SignedHeadProblem, signedHeadProblem } from "../audit/signed-head.ts";
import { walkTrail } from "../audit/verification.ts";
import type { InvalidRow } from "../audit/verify-chain.ts";
import type { MovedKeys, MoveSource, MoveTarget } from "./sides.ts";

interface Options {
  osUser: string;
  now: () => number;
  fillRandom: FillRandom;
  unverified: boolean;
  signal: AbortSignal;
  onProgress: OnMoveProgress;
}

/**
 * Throws AppError UNAVAILABLE if the key is not the trail's, and MoveRefused if the trail's end
 * does not match its signed head, unless `unverified` permits this.
 */
export async function checkSource(
  source: MoveSource,
  keys: MovedKeys,
  { unverified }: Options,
): Promise<void> {
  await requireKeyOfTrail(source.read, source.place);
  const problem = await headProblem(source, createSecretKey(keys.audit));
  if (problem !== null && !unverified) throw notVerified(source.name, problem);
}

interface VerifiedTrail {
  /** How many rows were verified. */
  checked: number;
  /** Why the trail could not be verified; null if it was. */
  problem: string | null;
}

/** Throws MoveRefused if the chain is broken, unless `unverified` permits this. */
export async function verifyTarget(
  target: MoveTarget,
  keys: MovedKeys,
  { signal, onProgress, unverified }: Options,
): Promise<VerifiedTrail> {
  const total = (await auditHead(target.read))?.seq ?? 0;
  let looked = 0;
  const shouldContinue = () => {
    if (++looked % 100 === 0) onProgress("verifying the audit trail", looked, total);
    return !signal.aborted;
  };
  const auditKey = createSecretKey(keys.audit);
  const { checked, broken } = await walkTrail(target.read, auditKey, { shouldContinue });
  signal.throwIfAborted();
  if (broken === null) return { checked, problem: null };
  if (!unverified) throw notVerified(target.name, broken);
  return { checked, problem: inWords(broken) };
}

/** Appends `database.moved` to the target's trail. */
export async function appendMoved(
  source: MoveSource,
  target: MoveTarget,
  keys: MovedKeys,
  facts: MoveFacts,
  { osUser, now, fillRandom }: Options,
): Promise<ChainLink> {
  const key = createSecretKey(keys.audit);
  const problem = await headProblem(source, key);
  const event = {
    id: createIdFactory(now, fillRandom)("aud"),
    at: target.tx.now,
    actorType: "LOCAL" as const,
    actorId: null,
    actorName: osUser,
    action: "database.moved",
    targetType: "database",
    targetId: null,
    result: "SUCCESS" as const,
    message: facts.auditProblem ?? (problem && inWords(problem)),
    ip: null,
    userAgent: null,
    requestId: null,
    metadata: { ...facts } as unknown as JsonObject,
  };
  const [link] = (await appendAuditEvents(target.tx, key, [event], () => undefined)) as [ChainLink];
  // A new signature would remove the evidence of a change.
  if (problem === null || problem.isMissing) await writeSignedHead(target.tx, key, link);
  return link;
}

function headProblem(source: MoveSource, auditKey: KeyObject): Promise<SignedHeadProblem | null> {
  const auditHeadFile = headCopyFileOf(source.place);
  return signedHeadProblem({ auditKey, auditHeadFile }, source.read);
}

function inWords({ seq, reason }: InvalidRow): string {
  return `Audit trail, row ${seq}: ${reason}.`;
}

function notVerified(name: string, { seq, reason }: InvalidRow): MoveRefused {
  const message =
    `The audit trail of ${name} fails verification: row ${seq}: ${reason}. Nothing was changed. Find out ` +
    "why (platformctl audit verify), or move the trail as it is with --unverified.";
  return new MoveRefused("AUDIT_NOT_VERIFIED", message);
}
