// Agents learn which of their commands were cancelled while they ran, until they say what became of
// them: from the database, so that a restart forgets nothing.

import { cancelNoticeMs, maxHeldCommands } from "../domain/limits.ts";
import { listCommandsToStop } from "../store/commands.ts";
import type { Core } from "./context.ts";

/** What was cancelled before is not mentioned to agents any more; Unix milliseconds. */
export function oldestCancellation(now: number): number {
  return now - cancelNoticeMs;
}

/** Ids of the commands that this agent is to stop; touches memory only while the agent is idle. */
export function commandsToStop(core: Core, agentId: string): readonly string[] | Promise<string[]> {
  if (core.openWork.isIdle(agentId)) return [];
  const since = oldestCancellation(core.now());
  return listCommandsToStop(core.db.read, agentId, since, maxHeldCommands);
}
