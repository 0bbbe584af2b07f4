// Tells agents which of their running commands were cancelled, until the agents confirm it. The
// list is read from the database, so it survives a restart.

import { cancelNoticeMs, maxHeldCommands } from "../../domain/limits.ts";
import { listCommandsToStop } from "../../store/tables/commands.ts";
import type { Core } from "../context.ts";

/**
 * Returns the time before which cancellations are no longer sent to agents, in Unix milliseconds.
 */
export function oldestCancellation(now: number): number {
  return now - cancelNoticeMs;
}

/**
 * Returns the ids of the commands that this agent must stop. Reads nothing if it is known that
 * there are none.
 */
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
