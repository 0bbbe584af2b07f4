// Audits a restore at the next start. The audit row names the replaced head. (docs/backup.md)

import { isoTime } from "../../lib/iso-time.ts";
import { takeRestoreNote } from "../../store/files/restore-note.ts";
import { audit } from "../audit/trail.ts";
import { type Core, systemContext } from "../context.ts";

/** Returns whether there was a restore. */
export function noteRestored(core: Core): Promise<boolean> {
  return core.db.write(async (tx) => {
    const note = await takeRestoreNote(tx);
    if (!note) return false;
    const { at, osUser, ...facts } = note;
    // The actor is the user who restored the database, not the one who starts the server.
    const ctx = { ...systemContext(core), principal: { kind: "local", osUser } as const };
    const metadata = { restoredAt: isoTime(at), ...facts };
    await audit(ctx, tx, { action: "backup.restored", targetId: null, metadata });
    return true;
  });
}
