// Agents learn which of their commands were cancelled while they ran, until they say what became of
// them. What is open is in the database; memory holds only which of it a poll has brought already, so
// that a cancellation ends one poll of an agent and not every poll after it. After a restart each is
// brought once more.

import { cancelNoticeMs, maxHeldCommands } from "../domain/limits.ts";
import { listCommandsToStop } from "../store/commands.ts";
import type { Core } from "./context.ts";

export class CancelNotices {
  readonly #brought = new Map<string, ReadonlySet<string>>();

  /** Whether one of them was in no answer to a poll of this agent yet. */
  hasNews(agentId: string, ids: readonly string[]): boolean {
    const brought = this.#brought.get(agentId);
    return ids.some((id) => !brought?.has(id));
  }

  /** All that is open was in an answer to a poll of this agent. */
  note(agentId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.#brought.set(agentId, new Set(ids));
    else this.#brought.delete(agentId);
  }
}

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
