// Deletes old commands with their results, but never open commands. Audit rows about them stay.

import { commandTypes } from "../../domain/commands/commands.ts";
import { hourMs } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import { deleteCommand, listEndedCommandIds } from "../../store/tables/commands/commands.ts";
import { audit } from "../audit/trail.ts";
import { type Core, systemContext } from "../context.ts";
import { inSlices } from "../short-transactions.ts";

/** If more commands are due, the next run follows soon. */
export const maxCommandsPerRun = 50_000;

/**
 * Rounds `before` (Unix milliseconds) down to the hour, so that each hour has at most one audit
 * row.
 */
export async function pruneCommands(core: Core, before: number): Promise<number> {
  const until = Math.floor(before / hourMs) * hourMs;
  if (!(await beginPruning(core, until))) return 0;
  let count = 1;
  for (const type of commandTypes) {
    const next = (db: Reader, limit: number) => listEndedCommandIds(db, type, until, limit);
    count += await inSlices(core, maxCommandsPerRun - count, next, deleteCommand);
  }
  return count;
}

/** Deletes the first command and audits the run in one transaction. */
async function beginPruning(core: Core, until: number): Promise<boolean> {
  const first = async (db: Reader) => {
    for (const type of commandTypes) {
      const [id] = await listEndedCommandIds(db, type, until, 1);
      if (id !== undefined) return id;
    }
    return null;
  };
  if ((await first(core.db.read)) === null) return false;
  return core.db.write(async (tx) => {
    const id = await first(tx);
    if (id === null) return false;
    await deleteCommand(tx, id);
    const metadata = { before: isoTime(until) };
    await audit(systemContext(core), tx, { action: "command.pruned", targetId: null, metadata });
    return true;
  });
}
