// Backups: the whole database as one file, checked before it is sent.

import type { backups } from "../../api/backups.ts";
import { AppError } from "../../domain/errors.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { genesis } from "../../store/audit/chain-hash.ts";
import { recheckCaller } from "../access/still-allowed.ts";
import { reportDamage } from "../audit/signed-head.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { Download } from "../download.ts";
import type { HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof backups> = {
  "backup.create": (ctx, { query }) => createBackup(ctx, query.unverified),
};

/**
 * Returns an intact copy that includes all earlier writes. Throws UNAVAILABLE if its audit trail
 * does not verify, unless `unverified` accepts that.
 */
export async function createBackup(ctx: Ctx, unverified = false): Promise<Download> {
  const { core } = ctx;
  const { backups, db, monotonic, now } = core;
  const begun = monotonic();
  const { sizeBytes: databaseBytes } = await db.stats();
  const copy = await backups.make(ctx.caller, databaseBytes);
  const { sizeBytes, sha256, audit: trail } = copy.report;
  const durationMs = Math.round(monotonic() - begun);
  const { broken } = trail;
  const auditProblem = broken && `row ${broken.seq}: ${broken.reason}`;
  try {
    if (broken) await reportDamage(core, trail.isChainBroken ? broken : null);
    if (auditProblem !== null && !unverified) throw notVerified(auditProblem);
    const auditHead = trail.head ?? genesis;
    const metadata = { sizeBytes, sha256, auditHead, auditProblem, durationMs };
    await db.write(async (tx) => {
      await recheckCaller(ctx, tx, begun);
      await audit(ctx, tx, { action: "backup.created", targetId: null, metadata });
    });
  } catch (error) {
    await copy.discard();
    throw error;
  }
  return {
    contentType: "application/vnd.sqlite3",
    fileName: `platform-${isoTime(now()).slice(0, 10)}.db`,
    headers: {
      "Content-Length": String(sizeBytes),
      "Repr-Digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
      ...(auditProblem === null ? {} : { "Audit-Problem": inHeader(auditProblem) }),
    },
    chunks: copy.read(),
  };
}

function notVerified(problem: string): AppError {
  const message =
    `The audit trail fails verification: ${problem}. No backup was made. To back up the database as it is, ` +
    "use `platform backup --unverified`; `platform docs audit` says what else to do.";
  return new AppError("UNAVAILABLE", message);
}

/** The name of the database can contain characters that headers cannot. */
function inHeader(text: string): string {
  return text.replace(/[^ -~]/g, "?");
}
