// Ends the commands that are past their deadline.

import { hasExpiredCommands, listExpiredCommands } from "../../store/tables/command-deadlines.ts";
import { moveDeadlines } from "../clock/deadlines.ts";
import { type Core, systemContext } from "../context.ts";
import { inSlices } from "../slices.ts";
import { endOpenCommand } from "./commands.ts";

/** Commands do not time out just after a clock jump or pause: their results may be on the way. */
export async function expireCommands(core: Core): Promise<number> {
  await moveDeadlines(core);
  const now = core.statusClock.now();
  if (!(await hasExpiredCommands(core.db.read, now))) return 0;
  const ctx = systemContext(core);
  return inSlices(
    core,
    Infinity,
    (tx, limit) => listExpiredCommands(tx, now, limit),
    (tx, command) => endOpenCommand(ctx, tx, command, "EXPIRED"),
  );
}
