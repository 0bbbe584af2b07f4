// Stores schedules. (src/domain/schedules/schedules.ts)

import type { Timing } from "../../../domain/schedules/due-times.ts";
import type { Schedule, ScheduleState } from "../../../domain/schedules/schedules.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { countOf, declaredRows, finder, pageOf } from "../../rows.ts";
import { run } from "../../sql-tag.ts";

interface ScheduleRow
  extends Omit<
    Schedule,
    | keyof Timing
    | "description"
    | "target"
    | "withheld"
    | "secrets"
    | "secretsGiven"
    | "owner"
    | "authors"
    | "bound"
  > {
  description: string | null;
  timing: string;
  untilAt: number | null;
  target: string;
  withheld: string;
  secrets: string | null;
  secretsGiven: string | null;
  authors: string;
  bound: string | null;
  ownerKind: Schedule["owner"]["kind"];
  ownerId: string | null;
  ownerName: string;
}

const columns = `id, name, description, state, timing, target, withheld, secrets,
  secrets_given AS "secretsGiven", missed, overlap,
  until_at AS "untilAt", next_at AS "nextAt", owner_kind AS "ownerKind", owner_id AS "ownerId",
  owner_name AS "ownerName", approved_digest AS "approvedDigest",
  approval_id AS "approvalId", authors, bound, declared, declared_file AS "declaredFile", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export const findSchedule = finder(`SELECT ${columns} FROM schedules WHERE id = ?`, toSchedule);

/** Names are unique. */
export const findScheduleByName = finder(
  `SELECT ${columns} FROM schedules WHERE name = ?`,
  toSchedule,
);

export interface ScheduleFilter extends Page {
  /** Matches any of these states. */
  state?: readonly ScheduleState[] | undefined;
  action?: string | undefined;
  /** Matches a part of the name. */
  q?: string | undefined;
}

export function listSchedules(db: Reader, filter: ScheduleFilter): Promise<Listed<Schedule>> {
  const filters = new Filters()
    .oneOf("state", filter.state)
    .add("action = ?", filter.action)
    .search(["name"], filter.q);
  return pageOf(db, [columns, "schedules", "id"], filters, filter, toSchedule, sorts);
}

const sorts: Sorts = { name: "name", nextRunAt: ["next_at"], createdAt: "id" };

/** The oldest schedules come first. */
export async function listAllSchedules(db: Reader): Promise<Schedule[]> {
  const rows = await db.all<ScheduleRow>(`SELECT ${columns} FROM schedules ORDER BY id`);
  return rows.map(toSchedule);
}

export function countSchedules(db: Reader): Promise<number> {
  return countOf(db, "schedules", new Filters());
}

/** Lists the schedules that are due at `now`, the most overdue first. */
export async function listDueSchedules(
  db: Reader,
  now: number,
  limit: number,
): Promise<Schedule[]> {
  const rows = await db.all<ScheduleRow>(
    `SELECT ${columns} FROM schedules WHERE next_at IS NOT NULL AND next_at <= ?
     ORDER BY next_at LIMIT ?`,
    now,
    limit,
  );
  return rows.map(toSchedule);
}

/** Deleting a schedule also deletes its runs. */
export const scheduleRows = declaredRows(
  "schedules",
  [
    "name description state timing target_kind action service_code target withheld secrets",
    "secrets_given missed overlap until_at next_at owner_kind owner_id owner_name approved_digest",
    "approval_id authors bound declared declared_file version",
    "updated_at",
  ],
  "created_at id",
  toRow,
);

export async function setNextAt(tx: Tx, id: string, nextAt: number | null): Promise<void> {
  await run(tx)`UPDATE schedules SET next_at = ${nextAt} WHERE id = ${id}`;
}

/** From now on, the schedule may run with exactly the content that has this digest. */
export async function approveSchedule(
  tx: Tx,
  id: string,
  { digest, approvalId }: { digest: string; approvalId: string },
): Promise<void> {
  await run(tx)`UPDATE schedules SET approved_digest = ${digest}, approval_id = ${approvalId},
       authors = ${"[]"} WHERE id = ${id}`;
}

function toRow(schedule: Schedule) {
  const { cron, everySeconds, timezone, until, target, withheld, secrets, owner } = schedule;
  return {
    ...schedule,
    description: schedule.description ?? null,
    timing: JSON.stringify({ cron, everySeconds, timezone }),
    untilAt: until ?? null,
    targetKind: target.kind,
    action: target.action,
    serviceCode: target.kind === "action" ? target.service : null,
    target: JSON.stringify(target),
    withheld: JSON.stringify(withheld),
    secrets: withheld.length === 0 ? null : toJsonColumn(secrets),
    secretsGiven: toJsonColumn(schedule.secretsGiven),
    authors: JSON.stringify(schedule.authors),
    bound: toJsonColumn(schedule.bound),
    ownerKind: owner.kind,
    ownerId: owner.id,
    ownerName: owner.name,
  };
}

function toSchedule(row: ScheduleRow): Schedule {
  const { timing, untilAt, description, ownerKind, ownerId, ownerName, ...rest } = row;
  return {
    ...rest,
    ...JSON.parse(timing),
    ...(description === null ? {} : { description }),
    ...(untilAt === null ? {} : { until: untilAt }),
    target: JSON.parse(row.target),
    withheld: JSON.parse(row.withheld),
    secrets: fromJsonColumn<Schedule["secrets"] | null>(row.secrets) ?? [],
    secretsGiven: fromJsonColumn<Schedule["secretsGiven"]>(row.secretsGiven),
    authors: JSON.parse(row.authors),
    bound: fromJsonColumn<Schedule["bound"]>(row.bound),
    owner: { kind: ownerKind, id: ownerId, name: ownerName },
  };
}
