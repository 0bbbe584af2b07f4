// Verifies the audit trail. docs/guides/audit.md explains what the verification finds.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import { maxRestores, newestRestores, restoresOf } from "../../domain/audit/past-restores.ts";
import type { TrailWalk } from "../../domain/audit/trail-walks.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { newestOfAction } from "../../store/audit/audit-events.ts";
import { findVerifiedLink, writeVerifiedLink } from "../../store/audit/signatures.ts";
import { signedHeadProblem } from "../../store/audit/signed-head.ts";
import { checkWitnesses, type Witness, type WitnessCheck } from "../../store/audit/verification.ts";
import { findDamagedRow, forgetDamagedRow } from "../../store/tables/audit-damage.ts";
import type { Core, Ctx } from "../context.ts";
import { reportDamage } from "./signed-head.ts";

interface VerificationRequest {
  /** A row that the caller has kept, or null. */
  anchor: ChainLink | null;
  /** Whether to read only the rows after the last verification. */
  incremental: boolean;
}

/** Pruning during the walk does not affect the result. */
export async function verifyAuditEvents(ctx: Ctx, request: VerificationRequest) {
  const { core } = ctx;
  const { anchor } = request;
  const startedAt = core.now();
  const named = anchor && { ...anchor, name: "the anchor" };
  // Read before the walk, so that the walk reaches at least these rows.
  const { lost, newest } = core.auditHead;
  const own = [lost, newest].filter((link) => link !== null);
  const walk = await walkTrail(ctx, request);
  const { since, firstSeq, lastSeq, head, checkpoint } = walk;
  const witnesses = own.map((link) => ({ ...link, name: "the service's own record" }));
  const check = await checkWitnesses(core.db.read, core.auditKey, walk, witnesses);
  check.broken ??= await signedHeadProblem(core, core.db.read);
  if (check.broken) await reportDamage(core, walk.broken);
  // Callers choose the anchor, so a row that contradicts it is not reported as damage.
  const heard = await checkWitnesses(
    core.db.read,
    core.auditKey,
    { ...walk, ...check },
    named ? [named] : [],
  );
  const broken = heard.broken && { seq: heard.broken.seq, reason: heard.broken.reason };
  if (broken === null) await keepVerifiedLink(core, walk, startedAt);
  return {
    ok: broken === null,
    checked: heard.checked,
    firstSeq,
    lastSeq,
    head,
    checkpoint: checkpoint && { seq: checkpoint.seq, at: isoTime(checkpoint.at) },
    since: since && { seq: since.seq, at: isoTime(since.at), fullAt: isoTime(since.fullAt) },
    anchor: named && { seq: named.seq, state: anchorState(named, walk, heard) },
    broken,
    acceptedLoss: await acceptedLossIn(core),
    restores: await restoresIn(core),
  };
}

async function restoresIn({ db }: Core) {
  const rows = await newestOfAction(db.read, "backup.restored", maxRestores);
  const restores = rows.flatMap(({ seq, actorName, metadata }) =>
    restoresOf(actorName, metadata).map((one) => ({ seq, ...one })),
  );
  return newestRestores(restores);
}

async function acceptedLossIn({ db }: Core) {
  const [row] = await newestOfAction(db.read, "maintenance.data_loss.accepted", 1);
  if (!row) return null;
  const { seq, at, actorName, metadata } = row;
  return { seq, at: isoTime(at), by: actorName, lostRow: Number(metadata.lostRow) || 0 };
}

async function walkTrail({ core, caller }: Ctx, request: VerificationRequest): Promise<TrailWalk> {
  const { anchor, incremental } = request;
  const { full, incremental: newRows } = core.trailVerifiers;
  if (incremental) {
    const walk = await newRows.walk(caller);
    // A row that the walk did not read can have the anchor's hash although its content was changed.
    if (!anchor || !walk.since || anchor.seq >= walk.since.seq) return walk;
  }
  return full.walk(caller);
}

/**
 * Stores the last row of a successful walk, from which an incremental verification can continue. A
 * failure is only logged, because the next verification then merely takes longer.
 */
async function keepVerifiedLink(core: Core, walk: TrailWalk, startedAt: number): Promise<void> {
  const { auditKey, db, log } = core;
  const { since, head } = walk;
  if (!head || head.seq === since?.seq) return;
  const wasDamaged = !since && (await findDamagedRow(db.read)) !== null;
  const place = { ...head, at: startedAt, fullAt: since?.fullAt ?? startedAt };
  const storing = db.write(async (tx) => {
    if (since) {
      // A verification that ended in the meantime may have got further.
      const current = await findVerifiedLink(tx, auditKey);
      if (current?.fullAt !== since.fullAt || current.seq >= head.seq) return;
    }
    await writeVerifiedLink(tx, auditKey, place);
    if (wasDamaged) await forgetDamagedRow(tx);
  });
  await storing.catch((error: unknown) =>
    log.warn({ err: error }, "the last verified row of the audit trail could not be stored"),
  );
}

function anchorState(
  anchor: Witness,
  { lastSeq }: TrailWalk,
  { pruned, broken }: WitnessCheck,
): "FOUND" | "MISSING" | "PRUNED" | "NOT_REACHED" {
  if (pruned.includes(anchor)) return "PRUNED";
  if (broken === null || anchor.seq < broken.seq) return "FOUND";
  return anchor.seq === broken.seq || anchor.seq > (lastSeq ?? 0) ? "MISSING" : "NOT_REACHED";
}
