// Verifies the audit trail. docs/audit.md explains what the verification finds.

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { TrailWalk } from "../../domain/audit/trail-walks.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { signedHeadProblem } from "../../store/audit/signed-head.ts";
import { hearWitnesses, type Testimony, type Witness } from "../../store/audit/verification.ts";
import type { Ctx } from "../context.ts";

/** `anchor` is a row that the caller kept. Pruning during the walk does not affect the result. */
export async function verifyAuditEvents(ctx: Ctx, anchor: ChainLink | null) {
  const { core } = ctx;
  const named = anchor && { ...anchor, name: "the anchor" };
  // Read before the walk, so that the walk reaches at least this row.
  const { lost, newest } = core.auditHead;
  const own = [lost, newest].filter((link) => link !== null);
  const witnesses = [
    ...(named ? [named] : []),
    ...own.map((link) => ({ ...link, name: "the service, which wrote it," })),
  ];
  const walk = await core.trailVerifier.walk(ctx.caller);
  const { firstSeq, lastSeq, head, checkpoint } = walk;
  const heard = await hearWitnesses(core.db.read, core.auditKey, walk, witnesses);
  const found = heard.broken ?? (await signedHeadProblem(core, core.db.read));
  const broken = found && { seq: found.seq, reason: found.reason };
  return {
    ok: broken === null,
    checked: heard.checked,
    firstSeq,
    lastSeq,
    head,
    checkpoint: checkpoint && { seq: checkpoint.seq, at: isoTime(checkpoint.at) },
    anchor: named && { seq: named.seq, state: anchorState(named, walk, heard) },
    broken,
  };
}

function anchorState(
  anchor: Witness,
  { lastSeq }: TrailWalk,
  { pruned, broken }: Testimony,
): "FOUND" | "MISSING" | "PRUNED" | "NOT_REACHED" {
  if (pruned.includes(anchor)) return "PRUNED";
  if (broken === null || anchor.seq < broken.seq) return "FOUND";
  return anchor.seq === broken.seq || anchor.seq > (lastSeq ?? 0) ? "MISSING" : "NOT_REACHED";
}
