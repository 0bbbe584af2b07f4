// Another process (the command line on the file) has written: what memory remembered is forgotten,
// and whoever waits for something that may have happened is woken.
// (docs/decisions/0005-state-in-memory.md)

import { listRefusedAgentIds } from "../../store/tables/agent-tokens.ts";
import { listAgentIdsToStop, listAgentIdsWithPending } from "../../store/tables/commands.ts";
import { oldestCancellation } from "../agent-calls/cancellations.ts";
import type { Core } from "../context.ts";
import { agentKey } from "./doorbell.ts";

/** Starts to obey foreign changes; answers how to stop. */
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
        core.log.error({ err: error }, "could not look at what another process changed");
      }
      for (const key of core.doorbell.keys()) core.doorbell.ring(key);
    });
  });
}

/** A question for all who wait, not one for each of them. */
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
