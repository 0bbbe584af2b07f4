// Records when the health of a service changes, so that services whose health changes often can be
// found. The silence of an agent does not count as a change, because no call reports it.

import { withChange } from "../../domain/fleet/attention.ts";
import type { Tx } from "../../store/database.ts";
import { findChangeTimes, writeChangeTimes } from "../../store/tables/fleet/attention.ts";

/**
 * Must be called when the class of a service's health has changed: healthy, unhealthy or unknown.
 */
export async function noteHealthChange(tx: Tx, serviceId: string): Promise<void> {
  const times = (await findChangeTimes(tx, serviceId)) ?? [];
  await writeChangeTimes(tx, serviceId, withChange(times, tx.now));
}
