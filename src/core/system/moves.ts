// Uses a database again whose data was moved away. (docs/decisions/0024-moving-a-database.md)

import { isoTime } from "../../lib/iso-time.ts";
import { takeMark } from "../../store/move/mark.ts";
import { audit } from "../audit/trail.ts";
import { type Core, systemContext } from "../context.ts";

/** Returns false if the data was not moved away. */
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
