// The history of a service's status, from the periods that are stored at each change of status.
// (docs/decisions/0008-effective-status.md)

import {
  daysUntil,
  type HistoryPart,
  halfHoursUntil,
  historyChangesShown,
  historyParts,
  type Parts,
  recentMs,
  uptimeOf,
} from "../../domain/fleet/service-history.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  countPeriods,
  deletePeriods,
  findPeriodBefore,
  listPeriods,
  type Period,
  sumPeriods,
} from "../../store/tables/fleet/service-history.ts";
import { bulkReader, type Core, type Ctx } from "../context.ts";
import { inBatches } from "../short-transactions.ts";
import { requireService, statusOf } from "./services.ts";

/** `days` includes today, in UTC. Throws SERVICE_NOT_FOUND. */
export async function getServiceHistory(ctx: Ctx, id: string, days: number) {
  const { core } = ctx;
  const now = core.now();
  const service = await requireService(core.db.read, id);
  const current = await statusOf(core, service);
  const read = bulkReader(ctx);
  const partsOf = async (parts: Parts) =>
    historyParts(parts, await sumPeriods(read, id, parts, now), now);
  const halfHours = await partsOf(halfHoursUntil(now));
  const daily = await partsOf(daysUntil(now, days));
  return {
    serviceId: id,
    serviceCode: service.code,
    ...current,
    now: isoTime(now),
    ...(await recentChanges(read, id, now - recentMs)),
    uptime: uptimeOf(daily),
    halfHours: halfHours.map(toPartView),
    days: daily.map(toPartView),
  };
}

/**
 * Returns the newest changes since `since`, newest first, and the number of all changes since then.
 */
async function recentChanges(read: Reader, id: string, since: number) {
  const periods = await listPeriods(read, id, since, historyChangesShown + 1);
  const shown = periods.slice(0, historyChangesShown);
  const isCut = periods.length > shown.length;
  const oldest = shown.at(-1);
  const before = oldest ? await findPeriodBefore(read, id, oldest.beganAt) : null;
  const changes = shown.flatMap(({ status, beganAt }, index) => {
    const previous: Period | null = shown[index + 1] ?? before;
    // A different status between the two began and ended in the same millisecond.
    if (previous?.status === status) return [];
    return [{ at: isoTime(beganAt), from: previous?.status ?? null, to: status }];
  });
  const changesTotal = isCut ? await countPeriods(read, id, since) : changes.length;
  return { changes, changesTotal };
}

function toPartView({ from, to, ms, unrecordedMs }: HistoryPart) {
  const uptime = uptimeOf([{ ms }]);
  return { from: isoTime(from), to: isoTime(to), ms, unrecordedMs, uptime };
}

const periodsAtOnce = 100;
/** If more periods are due, the next run follows soon. */
export const maxPeriodsPerRun = 50_000;

/** `before` is in Unix milliseconds. */
export function pruneServiceHistory(core: Core, before: number): Promise<number> {
  const some = (tx: Tx, limit: number) => deletePeriods(tx, before, limit);
  return inBatches(core, periodsAtOnce, some, maxPeriodsPerRun);
}
