// Clears caches and wakes waiters when another process has written to the database.
// (docs/decisions/0005-state-in-memory.md)

import { cancelNoticeMs } from "../../domain/limits.ts";
import { listRefusedAgentIds } from "../../store/tables/agent-tokens.ts";
import {
  listAgentIdsToStop,
  listAgentIdsWithPending,
} from "../../store/tables/command-deliveries.ts";
import type { Core } from "../context.ts";
import { applyForeignChange } from "./changes.ts";
import { agentKey, isReadersKey } from "./doorbell.ts";

/** Returns a function that ends the subscription. */
export function applyForeignChanges(core: Core): () => void {
  return core.db.onForeignChange((keys) => {
    const isKnown = keys?.every((key) => applyForeignChange(core, key)) ?? false;
    if (!isKnown) doubtEverything(core);
  });
}

function doubtEverything(core: Core): void {
  core.credentials.forget();
  core.polls.idle.clear();
  core.instances.clear();
  core.reportCache.clear();
  core.settings.live.forget();
  core.statusClock.isAbsenceUnread = true;
  core.feed.doubt();
  if (core.doorbell.size === 0) return;
  core.polls.ringUnsure();
  wakeConcerned(core).catch((error: unknown) => {
    if (!core.storage.took(core, error)) {
      core.log.error({ err: error }, "the changes of another process could not be read");
    }
    for (const key of core.doorbell.keys()) core.doorbell.ring(key);
  });
}

/** Uses a fixed number of queries, however many waiters there are. */
async function wakeConcerned(core: Core): Promise<void> {
  for (const key of core.doorbell.keys()) {
    if (isReadersKey(key)) core.doorbell.ring(key);
  }
  const refused = await listRefusedAgentIds(core.db.read);
  const withWork = await listAgentIdsWithPending(core.db.read);
  const toStop = await listAgentIdsToStop(core.db.read, core.now() - cancelNoticeMs);
  for (const agentId of [...refused, ...withWork, ...toStop]) {
    core.doorbell.ring(agentKey(agentId));
  }
}
