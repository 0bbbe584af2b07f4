// Wakes the driver of rollouts.

import type { Tx } from "../../store/database.ts";
import { listUnsettledRollouts } from "../../store/tables/rollouts.ts";
import type { Core } from "../context.ts";

const mostRollouts = 1000;

/** Continues the rollout of a command that ends in this transaction. */
export function noteRolloutProgress(core: Core, tx: Tx, rolloutId: string | null): void {
  if (rolloutId !== null) tx.afterCommit(() => core.rollouts.wake(rolloutId));
}

/** Finds what a crash has interrupted, and what depends on the time or on the health of services. */
export async function wakeRollouts(core: Core): Promise<void> {
  for (const { id } of await listUnsettledRollouts(core.db.read, mostRollouts)) {
    core.rollouts.wake(id);
  }
}
