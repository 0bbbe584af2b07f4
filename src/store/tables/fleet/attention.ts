// Reads the services that need attention. Stores the notes of operators about services, and when
// the health of services changed.

import { silentBefore } from "../../../domain/fleet/agents.ts";
import {
  type ChangeTimes,
  flapping,
  type NoteKind,
  type Problem,
} from "../../../domain/fleet/attention.ts";
import type { AttentionRow } from "../../../domain/fleet/attention-groups.ts";
import type { StatusThresholds } from "../../../domain/fleet/effective-status.ts";
import { byUrgency } from "../../../domain/fleet/health-map.ts";
import { blocksOf, filled, placeholders } from "../../blocks.ts";
import type { BulkReader, Reader, Tx } from "../../database.ts";
import { isOperatorLabel, serviceLabelColumns } from "../../label-conditions.ts";
import { finder, listFinder } from "../../rows.ts";
import { run } from "../../sql-tag.ts";
import { hasActiveToken } from "./agents.ts";
import { source, statusExpression, statusParams, urgencyOfMany } from "./service-statuses.ts";

/** The columns of an AttentionRow except `status`. The parameters are those of `columnParams`. */
const columns = `s.id, s.code, s.name, s.health_status AS "healthStatus",
  s.health_message AS "healthMessage", s.health_changed_at AS "healthChangedAt",
  ${serviceLabelColumns},
  s.created_at AS "createdAt", s.last_reported_at AS "lastReportedAt", s.removed_at AS "removedAt",
  s.moved_at AS "movedAt",
  a.id AS "agentId", a.code AS "agentCode", a.status AS "agentStatus",
  ${hasActiveToken} AS "hasActiveToken", a.last_heartbeat_at AS "lastHeartbeatAt",
  a.registered_at AS "registeredAt", a.stopped_at AS "stoppedAt", a.disabled_at AS "disabledAt",
  (SELECT MAX(t.revoked_at) FROM agent_tokens t WHERE t.agent_id = a.id) AS "tokenRevokedAt",
  a.last_heartbeat_at < ? AS "isSilent",
  c.times AS "changeTimes", c.flapping_until AS "flappingUntil", n.kind AS "noteKind", n.note,
  n.created_by AS "noteBy", n.created_at AS "noteAt", n.problem AS "noteProblem",
  n.since AS "noteSince", n.until AS "noteUntil", CAST(? AS BIGINT) AS "now"`;

/**
 * `now` is the time of the wall clock, for notes. `statusNow` is the time of the status clock, for
 * statuses.
 */
export interface AttentionTimes {
  now: number;
  statusNow: number;
  thresholds: StatusThresholds;
}

function columnParams({ now, statusNow, thresholds }: AttentionTimes): number[] {
  return [silentBefore(statusNow, thresholds), now];
}

/** Returns the services that may need attention, as the JSON of AttentionGroups or GroupMembers. */
export function attentionText(
  db: BulkReader,
  kind: "attention" | "attention-members",
  times: AttentionTimes,
  limit: number,
): Promise<string> {
  // The inner statement reads only an index.
  return db.text(
    kind,
    `SELECT ${columns}, ${statusOfUrgency} AS "status" FROM
       (SELECT s.id, s.id IN (SELECT service_id FROM service_changes WHERE flapping_until > ?)
           AS flaps, ${urgencyOfMany} AS urgency FROM services s
         WHERE s.removed_at IS NULL ORDER BY flaps DESC, urgency, s.id LIMIT ?) found
     JOIN services s ON s.id = found.id JOIN agents a ON a.id = s.agent_id
     LEFT JOIN service_changes c ON c.service_id = s.id
     LEFT JOIN service_notes n ON n.service_id = s.id
     WHERE found.flaps OR found.urgency < ${byUrgency.indexOf("UNKNOWN")} OR s.moved_at IS NOT NULL`,
    ...columnParams(times),
    times.now,
    ...statusParams(times.statusNow, times.thresholds),
    limit,
  );
}

const statusOfUrgency = `CASE found.urgency ${byUrgency
  .map((status, urgency) => `WHEN ${urgency} THEN '${status}'`)
  .join(" ")} END`;

/** Lists all services with a note. */
export function listNoted(db: Reader, times: AttentionTimes): Promise<AttentionRow[]> {
  return db.all<AttentionRow>(
    `SELECT ${columns}, ${statusExpression} AS "status" FROM ${source}
     JOIN service_notes n ON n.service_id = s.id
     LEFT JOIN service_changes c ON c.service_id = s.id`,
    ...rowParams(times),
  );
}

const findRows = listFinder(
  (places) => `SELECT s.id AS "key", ${columns}, ${statusExpression} AS "status" FROM ${source}
     LEFT JOIN service_notes n ON n.service_id = s.id
     LEFT JOIN service_changes c ON c.service_id = s.id WHERE s.id IN (${places})`,
  (row: AttentionRow) => row,
);

/** Returns these services by their ids, even if they need no attention. */
export function findAttentionRows(
  db: Reader,
  serviceIds: readonly string[],
  times: AttentionTimes,
): Promise<Map<string, AttentionRow>> {
  return findRows(db, serviceIds, ...rowParams(times));
}

function rowParams(times: AttentionTimes) {
  return [...columnParams(times), ...statusParams(times.statusNow, times.thresholds)];
}

export interface FailedCommand {
  id: string;
  action: string;
  errorCode: string | null;
  errorMessage: string | null;
  completedAt: number;
}

/** Finds the newest failed action among the last 20 commands of each service. */
export const findLastFailures = listFinder(
  (places) => `SELECT s.id AS "key", c.id, c.action, c.error_code AS "errorCode",
       c.error_message AS "errorMessage", c.completed_at AS "completedAt"
     FROM services s JOIN commands c ON c.id =
       (SELECT MAX(last.id) FROM (SELECT id, status, type FROM commands
           WHERE service_id = s.id ORDER BY id DESC LIMIT 20) last
         WHERE last.status = 'FAILED' AND last.type = 'ACTION_EXECUTE')
     WHERE s.id IN (${places})`,
  (command: FailedCommand) => command,
);

interface Label {
  key: string;
  value: string;
}

/** How many labels one statement counts. */
const labelsAtOnce = 16;

const countedLabel = `l.key = v.column1 AND l.value = v.column2
  AND (l.assigned = 1 OR NOT (${isOperatorLabel("v.column1")}))`;

const labelCounts = `SELECT v.column1 AS "key", v.column2 AS "value",
    (SELECT COUNT(*) FROM service_labels l JOIN services s ON s.id = l.service_id
       WHERE ${countedLabel} AND NOT EXISTS (SELECT 1 FROM agent_labels o
         WHERE o.agent_id = s.agent_id AND o.key = l.key AND o.assigned > l.assigned))
    + (SELECT COUNT(*) FROM agent_labels l JOIN services s ON s.agent_id = l.agent_id
       WHERE ${countedLabel} AND NOT EXISTS (SELECT 1 FROM service_labels o
         WHERE o.service_id = s.id AND o.key = l.key AND o.assigned >= l.assigned)) AS "services"
  FROM (VALUES ${placeholders(labelsAtOnce, "(CAST(? AS TEXT), CAST(? AS TEXT))")}) AS v`;

/**
 * Counts the services with each label, whether it is their own or their agent's. The keys of the
 * result are made by `keyOfLabel`.
 */
export async function countLabels(
  db: Reader,
  labels: readonly Label[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let from = 0; from < labels.length; from += labelsAtOnce) {
    const some = labels.slice(from, from + labelsAtOnce);
    const params = filled(some, labelsAtOnce).flatMap(({ key, value }) => [key, value]);
    for (const row of await db.all<Label & { services: number }>(labelCounts, ...params)) {
      counts.set(keyOfLabel(row), row.services);
    }
  }
  return counts;
}

export function keyOfLabel({ key, value }: Label): string {
  return JSON.stringify([key, value]);
}

export interface NewNote {
  kind: NoteKind;
  note: string | null;
  by: string | null;
  until: number | null;
}

/** A service, and the problem that the note acknowledges. */
export interface NotedService {
  id: string;
  problem: Problem | null;
  since: number | null;
}

const noteSql = (size: number) =>
  `INSERT INTO service_notes (service_id, kind, note, created_by, created_at, until, problem, since)
   SELECT s.id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),
     CAST(? AS BIGINT), v.column2, v.column3
   FROM (VALUES ${placeholders(size, "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT))")}) AS v
   JOIN services s ON s.id = v.column1 WHERE 1 = 1
   ON CONFLICT (service_id) DO UPDATE SET kind = excluded.kind, note = excluded.note,
     created_by = excluded.created_by, created_at = excluded.created_at, until = excluded.until,
     problem = excluded.problem, since = excluded.since`;

/** Replaces earlier notes. Services that no longer exist are ignored. */
export async function writeNotes(
  tx: Tx,
  { kind, note, by, until }: NewNote,
  services: readonly NotedService[],
): Promise<number> {
  let count = 0;
  for (const block of blocksOf(services)) {
    const rows = block.flatMap(({ id, problem, since }) => [id, problem, since]);
    count += await tx.run(noteSql(block.length), kind, note, by, tx.now, until, ...rows);
  }
  return count;
}

export async function deleteNotes(tx: Tx, serviceIds: readonly string[]): Promise<number> {
  let count = 0;
  for (const block of blocksOf(serviceIds)) {
    const places = placeholders(block.length);
    count += await tx.run(`DELETE FROM service_notes WHERE service_id IN (${places})`, ...block);
  }
  return count;
}

/** Does nothing if there is a newer note. */
export async function deleteEndedNote(tx: Tx, serviceId: string, at: number): Promise<void> {
  await run(tx)`DELETE FROM service_notes WHERE service_id = ${serviceId} AND created_at = ${at}`;
}

/**
 * After the clock was set back, lets silences that would begin in the future begin now, so that
 * they last as long as the operator has chosen. Ends flapping whose changes are in the future.
 */
export async function clampAttention(tx: Tx): Promise<void> {
  const { now } = tx;
  await run(tx)`UPDATE service_notes SET until = until - (created_at - ${now}), created_at = ${now}
     WHERE until IS NOT NULL AND created_at > ${now}`;
  await run(tx)`DELETE FROM service_changes WHERE flapping_until > ${now + flapping.windowMs}`;
}

export const findChangeTimes = finder(
  "SELECT times FROM service_changes WHERE service_id = ?",
  ({ times }: { times: string }) => JSON.parse(times) as number[],
);

export async function writeChangeTimes(
  tx: Tx,
  serviceId: string,
  { times, flappingUntil }: ChangeTimes,
): Promise<void> {
  await run(tx)`INSERT INTO service_changes (service_id, times, flapping_until)
     VALUES (${serviceId}, ${JSON.stringify(times)}, ${flappingUntil})
     ON CONFLICT (service_id) DO UPDATE SET times = excluded.times,
       flapping_until = excluded.flapping_until`;
}
