// Stores the periods in which services had a status. A use case that changes a stored status also
// calls `beginPeriods` in the same transaction.

import type { Parts, PeriodSum } from "../../../domain/fleet/service-history.ts";
import type { EffectiveStatus } from "../../../domain/fleet/services.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters } from "../../filters.ts";
import { countOf, listFinder } from "../../rows.ts";
import { all, get, run } from "../../sql-tag.ts";

interface StatusChange {
  id: string;
  status: EffectiveStatus;
}

/** Ends the current period of each service, if it has one, and begins the next. */
export async function beginPeriods(tx: Tx, changes: readonly StatusChange[]): Promise<void> {
  await Promise.all(changes.flatMap((change) => [endPeriod(tx, change), beginPeriod(tx, change)]));
}

/** A clock that was set back must not make a period end before it began. */
function endPeriod(tx: Tx, { id }: StatusChange) {
  const { now } = tx;
  return run(tx)`UPDATE service_periods
     SET ended_at = CASE WHEN began_at > ${now} THEN began_at ELSE ${now} END
     WHERE service_id = ${id} AND ended_at IS NULL`;
}

/** Replaces a period that has begun in the same millisecond. */
function beginPeriod(tx: Tx, { id, status }: StatusChange) {
  return run(tx)`INSERT INTO service_periods (service_id, began_at, status)
     VALUES (${id}, ${tx.now}, ${status})
     ON CONFLICT (service_id, began_at) DO UPDATE SET status = excluded.status, ended_at = NULL`;
}

/**
 * Moves periods that are in the future, because the clock was set back, to the present. Deletes
 * those that would have no length.
 */
export async function clampPeriods(tx: Tx): Promise<void> {
  const { now } = tx;
  await run(tx)`DELETE FROM service_periods WHERE ended_at > ${now} AND began_at >= ${now}`;
  await run(tx)`UPDATE service_periods SET ended_at = ${now} WHERE ended_at > ${now}`;
  await run(tx)`UPDATE service_periods SET began_at = ${now}
     WHERE ended_at IS NULL AND began_at > ${now}`;
}

export interface Period {
  status: EffectiveStatus;
  beganAt: number;
}

/** Returns the current period of a service. */
export async function findOpenPeriod(db: Reader, serviceId: string): Promise<Period | null> {
  const period = await get(db)<Period>`SELECT status, began_at AS "beganAt" FROM service_periods
     WHERE service_id = ${serviceId} AND ended_at IS NULL`;
  return period ?? null;
}

/** Returns the current periods by the ids of their services. */
export const findOpenPeriods = listFinder(
  (places) => `SELECT service_id AS "key", status, began_at AS "beganAt" FROM service_periods
     WHERE service_id IN (${places}) AND ended_at IS NULL`,
  (period: Period) => period,
);

/** Returns the newest periods that have begun since `since`, newest first. */
export function listPeriods(
  db: Reader,
  serviceId: string,
  since: number,
  limit: number,
): Promise<Period[]> {
  return all(db)`SELECT status, began_at AS "beganAt" FROM service_periods
     WHERE service_id = ${serviceId} AND began_at >= ${since} ORDER BY began_at DESC LIMIT ${limit}`;
}

export function countPeriods(db: Reader, serviceId: string, since: number): Promise<number> {
  const filters = new Filters().always("service_id = ? AND began_at >= ?", serviceId, since);
  return countOf(db, "service_periods", filters);
}

/** Returns the status that a service had before `at`. */
export async function findPeriodBefore(
  db: Reader,
  serviceId: string,
  at: number,
): Promise<Period | null> {
  const period = await get(db)<Period>`SELECT status, began_at AS "beganAt" FROM service_periods
     WHERE service_id = ${serviceId} AND began_at < ${at} ORDER BY began_at DESC LIMIT 1`;
  return period ?? null;
}

/**
 * Returns the time in each status since `from`. There are few rows, however many periods there are,
 * because only one period can cross from one part into the next. SQLite gets the parameters as
 * floating-point numbers, so the results of its divisions are rounded down.
 */
export function sumPeriods(
  db: Reader,
  serviceId: string,
  { from, partMs }: Parts,
  now: number,
): Promise<PeriodSum[]> {
  return all(db)`SELECT CAST((b - ${from}) / ${partMs} AS BIGINT) AS "first",
       CAST((e - 1 - ${from}) / ${partMs} AS BIGINT) AS "last", status, CAST(SUM(e - b) AS BIGINT) AS "ms", MIN(b) AS "beganAt",
       MAX(e) AS "endedAt"
     FROM (SELECT status, CASE WHEN began_at < ${from} THEN ${from} ELSE began_at END AS b,
         CASE WHEN ended_at IS NULL OR ended_at > ${now} THEN ${now} ELSE ended_at END AS e
       FROM service_periods WHERE service_id = ${serviceId} AND began_at >=
         COALESCE((SELECT MAX(began_at) FROM service_periods
           WHERE service_id = ${serviceId} AND began_at <= ${from}), ${from})) AS periods
     WHERE e > b GROUP BY 1, 2, status ORDER BY 1, 2, status`;
}

/** Deletes up to `limit` periods that have ended before `before`, and returns how many. */
export function deletePeriods(tx: Tx, before: number, limit: number): Promise<number> {
  return run(tx)`DELETE FROM service_periods WHERE (service_id, began_at) IN
     (SELECT service_id, began_at FROM service_periods
      WHERE ended_at < ${before} AND ended_at IS NOT NULL ORDER BY ended_at LIMIT ${limit})`;
}

/** Deletes up to `limit` of the oldest periods of a service, and returns how many. */
export function deletePeriodsOf(tx: Tx, serviceId: string, limit: number): Promise<number> {
  return run(tx)`DELETE FROM service_periods WHERE service_id = ${serviceId} AND began_at IN
     (SELECT began_at FROM service_periods WHERE service_id = ${serviceId} ORDER BY began_at LIMIT ${limit})`;
}
