// Reacts when another process, such as the command line with direct access to the file, has written
// to the database: clears the caches and wakes the waiters that the change may concern.
// (docs/decisions/0005-state-in-memory.md)

import { listRefusedAgentIds } from "../../store/tables/agent-tokens.ts";
import { listAgentIdsToStop, listAgentIdsWithPending } from "../../store/tables/commands.ts";
import { oldestCancellation } from "../agent-calls/cancellations.ts";
import type { Core } from "../context.ts";
import { agentKey } from "./doorbell.ts";

/** Starts to react to changes by other processes. Returns a function that stops it. */
export function obeyForeignChanges(core: Core): () => void {
  return core.db.onForeignChange(() => {
    core.credentials.forget();
    core.openWork.clear();
    core.reportCache.clear();
    core.settings.live.forget();
    core.feed.doubt();
    if (core.doorbell.size === 0) return;
    wakeConcerned(core).catch((error: unknown) => {
      if (!core.storage.took(core, error)) {
        core.log.error({ err: error }, "the changes of another process could not be read");
      }
      for (const key of core.doorbell.keys()) core.doorbell.ring(key);
    });
  });
}

/**
 * Wakes the waiters that may be concerned. Uses a fixed number of queries for all waiters together.
 */
async function wakeConcerned(core: Core): Promise<void> {
  for (const key of core.doorbell.keys()) {
    if (key.startsWith("command:")) core.doorbell.ring(key);
  }
  const refused = await listRefusedAgentIds(core.db.read);
  const withWork = await listAgentIdsWithPending(core.db.read);
  const toStop = await listAgentIdsToStop(core.db.read, oldestCancellation(core.now()));
  for (const agentId of [...refused, ...withWork, ...toStop]) {
    core.doorbell.ring(agentKey(agentId));
  }
}
