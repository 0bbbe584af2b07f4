// Commands: the only SQL about them. Every change of state is guarded by the state before.
// Results are in command-results.ts.

import {
  type Command,
  type CommandStatus,
  type CommandType,
  commandStatuses,
  commandTypes,
} from "../domain/commands.ts";
import type { Reader, SqlValue, Tx } from "./database.ts";
import { Filters, type Listed, limitOf, type Page } from "./filters.ts";

interface CommandRow extends Omit<Command, "payload" | "source" | "cancelledWhileRunning"> {
  payload: string;
  sourceKind: "operator" | "bus";
  sourceId: string | null;
  sourceRouteId: string | null;
  sourceName: string | null;
  cancelledWhileRunning: number;
}

const columns = `id, type, status, agent_id AS "agentId",
  (SELECT code FROM agents WHERE agents.id = commands.agent_id) AS "agentCode", service_id AS "serviceId",
  service_code AS "serviceCode", action, payload, reason, source_kind AS "sourceKind",
  source_id AS "sourceId", source_route_id AS "sourceRouteId", source_name AS "sourceName",
  prepare_command_id AS "prepareCommandId", retry_of AS "retryOf",
  timeout_seconds AS "timeoutSeconds", created_at AS "createdAt", expires_at AS "expiresAt",
  started_at AS "startedAt", completed_at AS "completedAt", deliveries,
  error_code AS "errorCode", error_message AS "errorMessage",
  cancelled_while_running AS "cancelledWhileRunning"`;

export interface CommandFilter extends Page {
  /** Any of them. */
  status?: readonly CommandStatus[] | undefined;
  /** Any of them; without it, prepares are left out. */
  type?: readonly CommandType[] | undefined;
  action?: string | undefined;
  agentId?: string | undefined;
  serviceId?: string | undefined;
  /** Of the bus: what it was made of. */
  eventId?: string | undefined;
  routeId?: string | undefined;
  /** Created at or after, and before; Unix milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

export async function findCommand(db: Reader, id: string): Promise<Command | null> {
  const row = await db.get<CommandRow>(`SELECT ${columns} FROM commands WHERE id = ?`, id);
  return row ? toCommand(row) : null;
}

export async function listCommands(db: Reader, filter: CommandFilter): Promise<Listed<Command>> {
  const { from, to, page: _page, pageSize: _pageSize, ...others } = filter;
  const inTime = (from ?? to) !== undefined;
  const alone = Object.values(others).every((value) => value === undefined);
  const filters = statusFilter(filter.status);
  const type = filter.type ?? (alone && !inTime ? ["ACTION_EXECUTE"] : undefined);
  // Beside other filters it is written so that their index is chosen, not that of the types.
  if (type === undefined) filters.always("type <> 'ACTION_PREPARE'");
  else if (!commandTypes.every((known) => type.includes(known))) filters.oneOf("type", type);
  filters
    .add("action = ?", filter.action)
    .add("agent_id = ?", filter.agentId)
    .add("service_id = ?", filter.serviceId)
    .add("source_kind = 'bus' AND source_id = ?", filter.eventId)
    .add("source_kind = 'bus' AND source_route_id = ?", filter.routeId)
    .add("created_at >= ?", filter.from)
    .add("created_at < ?", filter.to);
  // The order is the same; a range of time alone is found in its own index.
  const order = alone && inTime ? "created_at DESC, id DESC" : "id DESC";
  const rows = await db.all<CommandRow>(
    `SELECT ${columns} FROM commands ${filters.where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...filters.params,
    ...limitOf(filter),
  );
  const count = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS "total" FROM commands ${filters.where}`,
    ...filters.params,
  );
  return { items: rows.map(toCommand), total: count?.total ?? 0 };
}

/**
 * Of several statuses, those that most commands have are found from the newest command on; few commands
 * have the others, which are found in their index and sorted.
 */
function statusFilter(wanted: readonly CommandStatus[] | undefined): Filters {
  if (!wanted?.includes("SUCCEEDED") || wanted.length === 1) {
    return new Filters().oneOf("status", wanted);
  }
  const others = commandStatuses.filter((status) => !wanted.includes(status));
  const filters = new Filters();
  for (const status of others) filters.always("status <> ?", status);
  return filters;
}

export async function insertCommand(tx: Tx, command: Command): Promise<void> {
  const params: SqlValue[] = [
    command.id,
    command.type,
    command.status,
    command.agentId,
    command.serviceId,
    command.serviceCode,
    command.action,
    JSON.stringify(command.payload),
    command.reason,
    command.source.kind,
    command.source.id,
    command.source.routeId,
    command.source.name,
    command.prepareCommandId,
    command.retryOf,
    command.timeoutSeconds,
    command.createdAt,
    command.expiresAt,
  ];
  await tx.run(
    `INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
       reason, source_kind, source_id, source_route_id, source_name, prepare_command_id, retry_of,
       timeout_seconds, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...params,
  );
}

/** The agent's commands in a state that is not an end, oldest first, at most `limit`. */
export async function listOpenCommands(
  db: Reader,
  agentId: string,
  status: "PENDING" | "RUNNING",
  limit: number,
): Promise<Command[]> {
  const rows = await db.all<CommandRow>(
    `SELECT ${columns} FROM commands
     WHERE agent_id = ? AND status IN ('PENDING', 'RUNNING') AND status = ? ORDER BY id LIMIT ?`,
    agentId,
    status,
    limit,
  );
  return rows.map(toCommand);
}

/** Agents for whom a command waits. */
export async function listAgentIdsWithPending(db: Reader): Promise<string[]> {
  const rows = await db.all<{ agentId: string }>(
    `SELECT DISTINCT agent_id AS "agentId" FROM commands WHERE status = 'PENDING'`,
  );
  return rows.map((row) => row.agentId);
}

/** PENDING to RUNNING; answers whether it was PENDING. */
export async function claimCommand(tx: Tx, id: string, expiresAt: number): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE commands SET status = 'RUNNING', started_at = ?, expires_at = ?, deliveries = 1
     WHERE id = ? AND status = 'PENDING'`,
    tx.now,
    expiresAt,
    id,
  );
  return changed === 1;
}

export async function countDelivery(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(
    "UPDATE commands SET deliveries = deliveries + 1 WHERE id = ? AND status = 'RUNNING'",
    id,
  );
  return changed === 1;
}

export interface CommandEnd {
  status: "SUCCEEDED" | "FAILED" | "CANCELLED";
  errorCode?: string | null;
  errorMessage?: string | null;
}

/**
 * Ends a command that is still in the state `from`; answers whether it was. The only way in which a
 * command ends: it is counted here.
 */
export async function endCommand(
  tx: Tx,
  id: string,
  from: CommandStatus,
  end: CommandEnd,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE commands SET status = ?, completed_at = ?, error_code = ?, error_message = ?,
       cancelled_while_running = ? WHERE id = ? AND status = ?`,
    end.status,
    tx.now,
    end.errorCode ?? null,
    end.errorMessage ?? null,
    end.status === "CANCELLED" && from === "RUNNING" ? 1 : 0,
    id,
    from,
  );
  if (changed !== 1) return false;
  await countEnd(tx, end);
  return true;
}

/** For the metrics, which do not count a million rows. */
async function countEnd(tx: Tx, { status, errorCode }: CommandEnd): Promise<void> {
  await tx.run("UPDATE command_outcomes SET count = count + 1 WHERE status = ?", status);
  if (status !== "FAILED" || !errorCode) return;
  await tx.run(
    `INSERT INTO command_errors (code, count) VALUES (?, 1)
     ON CONFLICT (code) DO UPDATE SET count = command_errors.count + 1`,
    errorCode,
  );
}

/** Whether a command is past its time: the cheap look before the transaction. */
export async function hasExpiredCommands(db: Reader, now: number): Promise<boolean> {
  const row = await db.get(
    `SELECT 1 FROM commands WHERE completed_at IS NULL AND expires_at <= ? LIMIT 1`,
    now,
  );
  return row !== undefined;
}

/** Commands past their time, the most overdue first, at most `limit`. */
export async function listExpiredCommands(
  db: Reader,
  now: number,
  limit: number,
): Promise<Command[]> {
  const rows = await db.all<CommandRow>(
    `SELECT ${columns} FROM commands
     WHERE completed_at IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
    now,
    limit,
  );
  return rows.map(toCommand);
}

function toCommand(row: CommandRow): Command {
  const { sourceKind, sourceId, sourceRouteId, sourceName, ...command } = row;
  return {
    ...command,
    payload: JSON.parse(row.payload),
    source: { kind: sourceKind, id: sourceId, name: sourceName, routeId: sourceRouteId },
    cancelledWhileRunning: row.cancelledWhileRunning === 1,
  };
}
