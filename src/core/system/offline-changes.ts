// Audits what was done to the database while no server used it.

import { isoTime } from "../../lib/iso-time.ts";
import { takeRestoreNote } from "../../store/files/restore-note.ts";
import { takeMark } from "../../store/move/mark.ts";
import { audit } from "../audit/trail.ts";
import { type Core, systemContext } from "../context.ts";

/**
 * Audits a restore. The row names the replaced head (docs/guides/backup.md). Returns whether there
 * was a restore.
 */
export function noteRestored(core: Core): Promise<boolean> {
  return core.db.write(async (tx) => {
    const note = await takeRestoreNote(tx);
    if (!note) return false;
    // The actor is the user who restored the database, not the one who starts the server.
    const { osUser, ...metadata } = note;
    const ctx = { ...systemContext(core), principal: { kind: "local", osUser } as const };
    await audit(ctx, tx, { action: "backup.restored", targetId: null, metadata });
    return true;
  });
}

/**
 * Lets servers open a database whose data was moved away
 * (docs/decisions/0024-moving-a-database.md). Returns false if no data was moved away.
 */
export function reactivate(core: Core, osUser: string): Promise<boolean> {
  return core.db.write(async (tx) => {
    const mark = await takeMark(tx);
    if (mark === null) return false;
    const ctx = { ...systemContext(core), principal: { kind: "local", osUser } as const };
    const { id: moveId, to, at } = mark;
    const metadata = { moveId, to, movedAt: isoTime(at) };
    await audit(ctx, tx, { action: "database.reactivated", targetId: null, metadata });
    return true;
  });
}
