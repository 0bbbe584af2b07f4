// Tells agents which running commands were cancelled, until they confirm it. The list is read from the database,
// so a restart does not lose it.

import { cancelNoticeMs, maxHeldCommands } from "../../domain/limits.ts";
import { listCommandsToStop } from "../../store/tables/commands.ts";
import type { Core } from "../context.ts";

/** Earlier cancellations are no longer sent to agents; Unix milliseconds. */
export function oldestCancellation(now: number): number {
  return now - cancelNoticeMs;
}

/** Ids of the commands that this agent must stop. Needs no read while there are none. */
export function commandsToStop(core: Core, agentId: string): readonly string[] | Promise<string[]> {
  return core.openWork.get(agentId) ? [] : readCommandsToStop(core, agentId);
}

async function readCommandsToStop(core: Core, agentId: string): Promise<string[]> {
  const { generation } = core.openWork;
  const since = oldestCancellation(core.now());
  const ids = await listCommandsToStop(core.db.read, agentId, since, maxHeldCommands);
  if (ids.length === 0) core.openWork.set(agentId, "none to stop", generation);
  return ids;
}
