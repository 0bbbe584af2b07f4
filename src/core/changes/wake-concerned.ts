// Wakes the waiting calls that may have something to do, without waking the polls of idle agents.
// Any agent may have commands again, so it also forgets which agents have none.

import { cancelNoticeMs } from "../../domain/limits.ts";
import { listRefusedAgentIds } from "../../store/tables/access/agent-tokens.ts";
import {
  listAgentIdsToStop,
  listAgentIdsWithPending,
} from "../../store/tables/commands/command-deliveries.ts";
import type { Core } from "../context.ts";
import { agentKey, isReadersKey } from "./doorbell.ts";

/**
 * The number of queries does not depend on the number of waiting calls. Returns before the queries
 * end.
 */
export function wakeConcerned(core: Core): void {
  core.polls.idle.clear();
  if (core.doorbell.size === 0) return;
  ring(core).catch((error: unknown) => {
    if (!core.storage.recordFailure(core, error)) {
      core.log.error({ err: error }, "could not find the waiting calls to wake; all were woken");
    }
    for (const key of core.doorbell.keys()) core.doorbell.ring(key);
  });
}

async function ring(core: Core): Promise<void> {
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
