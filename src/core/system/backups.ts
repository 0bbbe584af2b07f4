// Backups: the whole database as one file, checked before it is sent.

import type { backups } from "../../api/backups.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import type { Download } from "../download.ts";
import type { HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof backups> = {
  "backup.create": (ctx) => createBackup(ctx),
};

/** Returns an intact copy that includes all earlier writes and has an unbroken audit chain. */
export async function createBackup(ctx: Ctx): Promise<Download> {
  const { backups, db, monotonic, now } = ctx.core;
  const begun = monotonic();
  const { sizeBytes: databaseBytes } = await db.stats();
  const copy = await backups.make(ctx.caller, databaseBytes);
  const { sizeBytes, sha256 } = copy.report;
  const durationMs = Math.round(monotonic() - begun);
  try {
    const metadata = { ...copy.report, durationMs };
    await db.write((tx) => audit(ctx, tx, { action: "backup.created", targetId: null, metadata }));
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
