// Backups: the whole database as one file, checked before it is handed out.

import type { backups } from "../../api/backups.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { Download } from "../download.ts";
import type { HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof backups> = {
  "backup.create": (ctx) => createBackup(ctx),
};

/**
 * Answers a copy of the database that holds all that was answered before this call; sound, and its audit
 * chain unbroken. Throws AppError RATE_LIMITED while another is made or read; UNAVAILABLE when it cannot
 * be made, is no good, takes too long, or cannot be audited: then nothing is left behind.
 */
export async function createBackup(ctx: Ctx): Promise<Download> {
  const { backups, db, monotonic, now } = ctx.core;
  const begun = monotonic();
  const copy = await backups.make(ctx.caller);
  const { sizeBytes, sha256 } = copy.report;
  const durationMs = Math.round(monotonic() - begun);
  try {
    await db.write((tx) =>
      audit(ctx, tx, {
        action: "backup.created",
        targetId: null,
        metadata: { ...copy.report, durationMs },
      }),
    );
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
    },
    chunks: copy.read(),
  };
}
