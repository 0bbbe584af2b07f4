// A database that was restored says so in its audit trail, as soon as a server has it: the trail goes on
// from an earlier day, and the row names the head that was replaced. (docs/backup.md)

import type { RestoreNote } from "../../domain/storage/restores.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { takeRestoreNote } from "../../store/files/restore-note.ts";
import { audit } from "../audit/trail.ts";
import { type Core, systemContext } from "../context.ts";

/** Writes `backup.restored` once for each restore; answers whether there was one. */
export function noteRestored(core: Core): Promise<boolean> {
  return core.db.write(async (tx) => {
    const note = await takeRestoreNote(tx);
    if (!note) return false;
    await audit(contextOf(core, note), tx, {
      action: "backup.restored",
      targetId: null,
      metadata: metadataOf(note),
    });
    return true;
  });
}

/** Whoever has restored it, not who starts the server. */
function contextOf(core: Core, { osUser }: RestoreNote) {
  return { ...systemContext(core), principal: { kind: "local", osUser } as const };
}

function metadataOf({ at, osUser: _osUser, ...facts }: RestoreNote) {
  return { restoredAt: isoTime(at), ...facts };
}
