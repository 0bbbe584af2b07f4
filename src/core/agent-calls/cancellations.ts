// Agents learn which of their commands were cancelled while they ran, until they say what became of
// them: from the database, so that a restart forgets nothing.

import { cancelNoticeMs, maxHeldCommands } from "../../domain/limits.ts";
import { listCommandsToStop } from "../../store/tables/commands.ts";
import type { Core } from "../context.ts";

/** What was cancelled before is not mentioned to agents any more; Unix milliseconds. */
export function oldestCancellation(now: number): number {
  return now - cancelNoticeMs;
}

/** Ids of the commands that this agent is to stop; touches memory only once there were none. */
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
