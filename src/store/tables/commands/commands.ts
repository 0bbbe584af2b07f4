// Stores commands. Each change of status checks the previous status.

import {
  type Command,
  type CommandStatus,
  type CommandType,
  commandTypes,
  hasEnded,
} from "../../../domain/commands/commands.ts";
import type { Selector } from "../../../domain/fleet/selectors.ts";
import type { HeldOutput } from "../../../domain/output/output.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { withholdSecrets } from "../../../domain/secrets/payload-secrets.ts";
import {
  type BoundedList,
  type BoundedPage,
  findKeys,
  rowsOf,
  type Source,
} from "../../bounded-search.ts";
import { fromJsonColumn, toFlag, toJsonColumn } from "../../columns.ts";
import type { Reader, SqlValue, Tx } from "../../database.ts";
import { Filters } from "../../filters.ts";
import { serviceConditions } from "../../label-conditions.ts";
import {
  countOf,
  deleter,
  finder,
  idsOf,
  listFinder,
  rowsInserter,
  rowsUpdater,
} from "../../rows.ts";
import { run } from "../../sql-tag.ts";

interface CommandRow
  extends Omit<Command, "payload" | "withheld" | "secrets" | "source" | "cancelledWhileRunning"> {
  payload: string;
  withheld: string | null;
  secrets: string | null;
  sourceKind: "operator" | "bus";
  sourceId: string | null;
  sourceRouteId: string | null;
  sourceName: string | null;
  rolloutId: string | null;
  scheduleId: string | null;
  cancelledWhileRunning: number;
}

const columns = `id, type, status, agent_id AS "agentId", agent_code AS "agentCode",
  service_id AS "serviceId", service_code AS "serviceCode", action, payload, withheld, secrets, reason,
  source_kind AS "sourceKind",
  source_id AS "sourceId", source_route_id AS "sourceRouteId", source_name AS "sourceName",
  rollout_id AS "rolloutId", schedule_id AS "scheduleId",
  prepare_command_id AS "prepareCommandId", retry_of AS "retryOf",
  expected_state AS "expectedState",
  timeout_seconds AS "timeoutSeconds", created_at AS "createdAt", expires_at AS "expiresAt",
  started_at AS "startedAt", completed_at AS "completedAt", deliveries,
  error_code AS "errorCode", error_message AS "errorMessage",
  cancelled_while_running AS "cancelledWhileRunning", cancel_outcome AS "cancelOutcome"`;

export interface CommandFilter extends BoundedPage {
  /** Matches any of these statuses. */
  status?: readonly CommandStatus[] | undefined;
  /** Matches any of these types. By default, only ACTION_EXECUTE matches. */
  type?: readonly CommandType[] | undefined;
  action?: string | undefined;
  agentId?: string | undefined;
  serviceId?: string | undefined;
  /** Matches commands that this event or this route created. */
  eventId?: string | undefined;
  routeId?: string | undefined;
  /** Matches commands that this rollout created. */
  rolloutId?: string | undefined;
  selector?: Selector | undefined;
}

/** `rest` is what follows the FROM clause. */
export async function readCommands(
  db: Reader,
  rest: string,
  ...params: SqlValue[]
): Promise<Command[]> {
  const rows = await db.all<CommandRow>(`SELECT ${columns} FROM commands ${rest}`, ...params);
  return rows.map(toCommand);
}

export const findCommand = finder(`SELECT ${columns} FROM commands WHERE id = ?`, toCommand);

/** The part of a command that is needed to process the agent's result. */
export type ReportedCommand = Pick<
  Command,
  | "id"
  | "withheld"
  | "secrets"
  | "agentId"
  | "status"
  | "type"
  | "action"
  | "serviceCode"
  | "prepareCommandId"
  | "expectedState"
  | "cancelledWhileRunning"
> & { rolloutId: string | null };

export const findReportedCommands = listFinder(
  (places) => `SELECT id AS "key", id, agent_id AS "agentId", status, type, action,
     service_code AS "serviceCode", prepare_command_id AS "prepareCommandId",
     expected_state AS "expectedState", rollout_id AS "rolloutId",
     cancelled_while_running AS "cancelledWhileRunning", withheld, secrets
     FROM commands WHERE id IN (${places})`,
  ({
    withheld,
    secrets,
    cancelledWhileRunning,
    ...command
  }: Omit<ReportedCommand, "withheld" | "secrets" | "cancelledWhileRunning"> &
    Pick<CommandRow, "withheld" | "secrets" | "cancelledWhileRunning">) => ({
    ...command,
    ...secretsOf({ withheld, secrets }),
    cancelledWhileRunning: cancelledWhileRunning === 1,
  }),
);

/**
 * Returns no secrets for commands from older versions, which stored them in the payload. A job
 * splits those payloads when a server starts.
 */
function secretsOf({ withheld, secrets }: Pick<CommandRow, "withheld" | "secrets">) {
  return {
    withheld: fromJsonColumn<string[] | null>(withheld) ?? [],
    secrets: fromJsonColumn<Json[] | null>(secrets),
  };
}

/**
 * The part of a command that decides whether it accepts output, and what is removed from the
 * output.
 */
export type WritingCommand = Pick<
  Command,
  "id" | "agentId" | "status" | "type" | "startedAt" | "completedAt" | "withheld" | "secrets"
> & {
  heldOutput: HeldOutput;
  /** Whether the agent has announced more output than it has sent. */
  isOutputOpen: boolean;
};

export const findWritingCommand = finder(
  `SELECT id, agent_id AS "agentId", status, type, started_at AS "startedAt",
     completed_at AS "completedAt", withheld, secrets, held_output AS "heldOutput",
     output_open AS "isOutputOpen" FROM commands WHERE id = ?`,
  ({
    withheld,
    secrets,
    heldOutput,
    isOutputOpen,
    ...command
  }: Omit<WritingCommand, "withheld" | "secrets" | "heldOutput" | "isOutputOpen"> &
    Pick<CommandRow, "withheld" | "secrets"> & {
      heldOutput: string | null;
      isOutputOpen: number;
    }) => ({
    ...command,
    ...secretsOf({ withheld, secrets }),
    heldOutput: fromJsonColumn<HeldOutput | null>(heldOutput) ?? {},
    isOutputOpen: isOutputOpen === 1,
  }),
);

/** The held texts are deleted when the command ends. */
export async function setOutputState(
  tx: Tx,
  id: string,
  held: HeldOutput,
  isOpen: boolean,
): Promise<void> {
  const column = Object.keys(held).length === 0 ? null : toJsonColumn(held);
  await run(tx)`UPDATE commands SET held_output = ${column}, output_open = ${toFlag(isOpen)}
     WHERE id = ${id}`;
}

/** The part of a command that says whether its output is complete. */
export type FollowedCommand = Pick<Command, "type" | "status" | "completedAt" | "errorCode"> &
  Pick<WritingCommand, "isOutputOpen">;

export const findFollowedCommand = finder(
  `SELECT type, status, completed_at AS "completedAt", error_code AS "errorCode",
     output_open AS "isOutputOpen" FROM commands WHERE id = ?`,
  (row: Omit<FollowedCommand, "isOutputOpen"> & { isOutputOpen: number }): FollowedCommand => ({
    ...row,
    isOutputOpen: row.isOutputOpen === 1,
  }),
);

const source: Source = { from: "commands", key: "id", at: "created_at" };

export async function listCommands(
  db: Reader,
  filter: CommandFilter,
): Promise<BoundedList<Command>> {
  const {
    status,
    type,
    action,
    agentId,
    serviceId,
    eventId,
    routeId,
    rolloutId,
    selector,
    ...search
  } = filter;
  const conditions = new Filters()
    .oneOf("status", status)
    .add("action = ?", action)
    .add("agent_id = ?", agentId)
    .add("service_id = ?", serviceId)
    .add("rollout_id = ?", rolloutId)
    .add("source_kind = 'bus' AND source_id = ?", eventId)
    .add("source_kind = 'bus' AND source_route_id = ?", routeId);
  for (const [sql, ...params] of serviceConditions(selector)) {
    conditions.always(`service_id IN (SELECT s.id FROM services s WHERE ${sql})`, ...params);
  }
  const wanted = type ?? ["ACTION_EXECUTE"];
  const isAll = commandTypes.every((known) => wanted.includes(known));
  if (!isAll) conditions.oneOf("type", wanted);
  const { keys, ...extent } = await findKeys<string>(db, source, {
    ...search,
    conditions: conditions.all,
  });
  const rows = await rowsOf<string, CommandRow>(
    db,
    keys,
    ({ id }) => id,
    (places) => `SELECT ${columns} FROM commands WHERE id IN (${places})`,
  );
  return { items: rows.map(toCommand), ...extent };
}

const insertRows = rowsInserter("commands", [
  "id type status agent_id agent_code service_id service_code action payload withheld secrets reason",
  "source_kind source_id source_route_id source_name rollout_id schedule_id prepare_command_id retry_of",
  "expected_state timeout_seconds created_at expires_at started_at deliveries",
]);

export async function insertCommands(tx: Tx, commands: readonly Command[]): Promise<void> {
  await insertRows(tx, commands.map(toRow));
}

function toRow(command: Command) {
  const { source: origin, withheld, secrets } = command;
  const { id, kind } = origin;
  // Such a command counts as an operator's, because an operator started the rollout or saved the
  // schedule.
  const isIndirect = kind === "rollout" || kind === "schedule";
  return {
    ...command,
    payload: JSON.stringify(command.payload),
    withheld: JSON.stringify(withheld),
    secrets: withheld.length === 0 ? null : toJsonColumn(secrets),
    sourceKind: isIndirect ? "operator" : kind,
    sourceId: isIndirect ? null : id,
    rolloutId: kind === "rollout" ? id : null,
    scheduleId: kind === "schedule" ? id : null,
    sourceRouteId: origin.routeId,
    sourceName: origin.name,
  };
}

interface CommandEnd {
  status: "SUCCEEDED" | "FAILED" | "CANCELLED";
  errorCode?: string | null;
  errorMessage?: string | null;
}

/** Returns false if the command no longer has the status `from`. */
export async function endCommand(
  tx: Tx,
  id: string,
  from: CommandStatus,
  end: CommandEnd,
): Promise<boolean> {
  return (await endCommands(tx, [{ id, from, ...end }])) === 1;
}

const endRows = rowsUpdater(
  "commands",
  {
    id: "text",
    previous: "text",
    status: "text",
    at: "bigint",
    error_code: "text",
    error_message: "text",
    cancelled_while_running: "bigint",
  },
  {
    set: (each) => `status = ${each("status")}, completed_at = ${each("at")},
       error_code = ${each("error_code")}, error_message = ${each("error_message")},
       cancelled_while_running = ${each("cancelled_while_running")},
       secrets = NULL, held_output = NULL`,
    where: (each) => `commands.id = ${each("id")} AND commands.status = ${each("previous")}`,
  },
);

/**
 * Every command ends through this function. It counts the ends and deletes the commands' secrets.
 * Returns how many commands still had the status `from`. Throws if there are several commands and
 * not all of them had that status.
 */
export async function endCommands(
  tx: Tx,
  ends: readonly ({ id: string; from: CommandStatus } & CommandEnd)[],
): Promise<number> {
  const rows = ends.map(({ id, from, status, errorCode = null, errorMessage = null }) => ({
    id,
    previous: from,
    status,
    at: tx.now,
    error_code: errorCode,
    error_message: errorMessage,
    cancelled_while_running: toFlag(status === "CANCELLED" && from === "RUNNING"),
  }));
  const ended = await endRows(tx, rows);
  if (ended === ends.length) await countEnds(tx, ends);
  else if (ends.length > 1) throw new Error("a command has ended already");
  return ended;
}

/** Counts the commands as they end, so that the metrics need not count a million rows. */
async function countEnds(tx: Tx, ends: readonly CommandEnd[]): Promise<void> {
  const codes = ends.flatMap(({ status, errorCode }) =>
    status === "FAILED" && errorCode ? [errorCode] : [],
  );
  await Promise.all([
    ...[...countsOf(ends.map(({ status }) => status))].map(
      ([status, count]) =>
        run(tx)`UPDATE command_outcomes SET count = count + ${count} WHERE status = ${status}`,
    ),
    ...[...countsOf(codes)].map(
      ([code, count]) =>
        run(tx)`INSERT INTO command_errors (count, code) VALUES (${count}, ${code})
           ON CONFLICT (code) DO UPDATE SET count = command_errors.count + excluded.count`,
    ),
  ]);
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The commands that ended earliest come first. */
export async function listEndedCommandIds(
  db: Reader,
  type: CommandType,
  before: number,
  limit: number,
): Promise<string[]> {
  return idsOf(
    db,
    `SELECT id FROM commands WHERE type = ? AND completed_at IS NOT NULL AND completed_at < ?
     ORDER BY completed_at LIMIT ?`,
    type,
    before,
    limit,
  );
}

/** Also deletes the command's results. A trigger updates the counts of ended commands. */
export const deleteCommand = deleter("commands");

export async function countOpenCommandsOf(
  db: Reader,
  { agentId, serviceId }: { agentId?: string; serviceId?: string },
): Promise<number> {
  const filters = new Filters()
    .always("completed_at IS NULL")
    .add("agent_id = ?", agentId)
    .add("service_id = ?", serviceId);
  return countOf(db, "commands", filters);
}

function toCommand(row: CommandRow): Command {
  const { sourceKind, sourceId, sourceRouteId, sourceName, rolloutId, scheduleId, ...command } =
    row;
  const source = startedBy(row) ?? { kind: sourceKind, id: sourceId };
  return {
    ...command,
    ...payloadOf(row),
    source: { ...source, name: sourceName, routeId: sourceRouteId },
    cancelledWhileRunning: row.cancelledWhileRunning === 1,
  };
}

/** Returns the rollout or schedule that created the command; null if none did. */
function startedBy({
  rolloutId,
  scheduleId,
}: CommandRow): Pick<Command["source"], "kind" | "id"> | null {
  if (rolloutId !== null) return { kind: "rollout", id: rolloutId };
  return scheduleId === null ? null : { kind: "schedule", id: scheduleId };
}

/** Older versions stored secrets in the payload. old-secrets.ts splits these payloads later. */
function payloadOf(row: CommandRow): Pick<Command, "payload" | "withheld" | "secrets"> {
  const payload = JSON.parse(row.payload);
  if (row.withheld !== null) {
    return { payload, withheld: JSON.parse(row.withheld), secrets: fromJsonColumn(row.secrets) };
  }
  const parts = withholdSecrets(payload, {});
  return hasEnded(row.status) ? { ...parts, secrets: null } : parts;
}
