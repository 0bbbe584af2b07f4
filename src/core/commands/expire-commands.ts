// Commands expire: the maintenance sweep ends those that are past their deadline.

import { hasExpiredCommands, listExpiredCommands } from "../../store/tables/commands.ts";
import { type Core, systemContext } from "../context.ts";
import { moveDeadlines } from "./clock-jumps.ts";
import { endOpenCommand } from "./commands.ts";

/** The maximum number of expired commands that one transaction ends. */
const expiryBatch = 200;

/**
 * Ends every command whose deadline has passed, and returns how many. After a jump of the wall
 * clock or a pause of the service, no command is ended for a while, because its result may be on
 * the way.
 */
export async function expireCommands(core: Core): Promise<number> {
  await moveDeadlines(core);
  const now = core.statusClock.now();
  if (!(await hasExpiredCommands(core.db.read, now))) return 0;
  const ctx = systemContext(core);
  let ended = 0;
  while (true) {
    const batch = await core.db.write(async (tx) => {
      const expired = await listExpiredCommands(tx, now, expiryBatch);
      for (const command of expired) await endOpenCommand(ctx, tx, command, "EXPIRED");
      return expired.length;
    });
    ended += batch;
    if (batch < expiryBatch) return ended;
  }
}
