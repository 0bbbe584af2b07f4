// Commands: the only SQL about them. Every change of state is guarded by the state before.
// Results are in command-results.ts.

import type { Command, CommandStatus, CommandType } from "../domain/commands.ts";
import { type BoundedList, type BoundedPage, Conditions, rowsOf } from "./bounded-list.ts";
import { findKeys, type Source } from "./bounded-search.ts";
import type { Reader, SqlValue, Tx } from "./database.ts";

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

export interface CommandFilter extends BoundedPage {
  status?: CommandStatus | undefined;
  type?: CommandType | undefined;
  action?: string | undefined;
  agentId?: string | undefined;
  serviceId?: string | undefined;
  /** Of the bus: what it was made of. */
  eventId?: string | undefined;
  routeId?: string | undefined;
}

export async function findCommand(db: Reader, id: string): Promise<Command | null> {
  const row = await db.get<CommandRow>(`SELECT ${columns} FROM commands WHERE id = ?`, id);
  return row ? toCommand(row) : null;
}

const source: Source = { from: "commands", key: "id", at: "created_at" };

export async function listCommands(
  db: Reader,
  filter: CommandFilter,
): Promise<BoundedList<Command>> {
  const { status, type, action, agentId, serviceId, eventId, routeId, ...search } = filter;
  const conditions = new Conditions()
    .add("status = ?", status)
    .add("type = ?", type)
    .add("action = ?", action)
    .add("agent_id = ?", agentId)
    .add("service_id = ?", serviceId)
    .add("source_kind = 'bus' AND source_id = ?", eventId)
    .add("source_kind = 'bus' AND source_route_id = ?", routeId).all;
  const { keys, ...extent } = await findKeys<string>(db, source, { ...search, conditions });
  const rows = await rowsOf<string, CommandRow>(
    db,
    keys,
    ({ id }) => id,
    (places) => `SELECT ${columns} FROM commands WHERE id IN (${places})`,
  );
  return { items: rows.map(toCommand), ...extent };
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
