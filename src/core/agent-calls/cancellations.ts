// Lists the cancelled commands that an agent must stop, until the agent confirms it.

import { cancelNoticeMs, maxHeldCommands } from "../../domain/limits.ts";
import { listCommandsToStop } from "../../store/tables/command-deliveries.ts";
import type { Core } from "../context.ts";

/** Returns Unix milliseconds. Earlier cancellations are no longer sent to agents. */
export function oldestCancellation(now: number): number {
  return now - cancelNoticeMs;
}

/** Returns a promise only if the database must be read. */
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
