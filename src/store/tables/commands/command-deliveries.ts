// Reads and changes what polls need: the commands to deliver, to deliver again and to stop.

import type { CancelOutcome, Command } from "../../../domain/commands/commands.ts";
import type { Reader, Tx } from "../../database.ts";
import { idsOf, rowsUpdater } from "../../rows.ts";
import { run } from "../../sql-tag.ts";
import { readCommands } from "./commands.ts";

/** The facts that decide whether a poll delivers an open command. */
export type OpenCommand = Pick<
  Command,
  "id" | "status" | "expectedState" | "startedAt" | "expiresAt" | "deliveries"
>;

const openColumns = `id, status, expected_state AS "expectedState", started_at AS "startedAt", expires_at AS "expiresAt",
  deliveries`;
/** The condition on the status is that of the partial index. */
const ofAgent = "agent_id = ? AND status IN ('PENDING', 'RUNNING')";
/** After an outage, commands that have expired can remain PENDING until the next sweep. */
const pending = "status = 'PENDING' AND expires_at > ?";

/**
 * Uses one statement, so that a command that is claimed at the same time is in one of the two
 * lists.
 */
export function listOpenCommands(
  db: Reader,
  agentId: string,
  now: number,
  mostPending: number,
  mostRunning: number,
): Promise<OpenCommand[]> {
  return db.all(
    `SELECT * FROM (SELECT ${openColumns} FROM commands
       WHERE ${ofAgent} AND ${pending} ORDER BY id LIMIT ?) AS pending
     UNION ALL
     SELECT * FROM (SELECT ${openColumns} FROM commands
       WHERE ${ofAgent} AND status = 'RUNNING' ORDER BY id LIMIT ?) AS running`,
    agentId,
    now,
    mostPending,
    agentId,
    mostRunning,
  );
}

/** The oldest commands come first. */
export function listRunningCommands(
  db: Reader,
  agentId: string,
  limit: number,
): Promise<OpenCommand[]> {
  return db.all(
    `SELECT ${openColumns} FROM commands WHERE ${ofAgent} AND status = 'RUNNING'
     ORDER BY id LIMIT ?`,
    agentId,
    limit,
  );
}

/** The oldest commands come first. */
export function listPendingCommands(
  db: Reader,
  agentId: string,
  now: number,
  limit: number,
): Promise<Command[]> {
  return readCommands(
    db,
    `WHERE ${ofAgent} AND ${pending} ORDER BY id LIMIT ?`,
    agentId,
    now,
    limit,
  );
}

export function listAgentIdsWithPending(db: Reader): Promise<string[]> {
  return idsOf(db, `SELECT DISTINCT agent_id AS "id" FROM commands WHERE status = 'PENDING'`);
}

/** Lists commands that were cancelled while running and whose outcome is still unknown. */
export async function listCommandsToStop(
  db: Reader,
  agentId: string,
  since: number,
  limit: number,
): Promise<string[]> {
  return idsOf(
    db,
    `SELECT id FROM commands WHERE ${toStop} AND agent_id = ? AND completed_at > ?
     ORDER BY completed_at LIMIT ?`,
    agentId,
    since,
    limit,
  );
}

export function listAgentIdsToStop(db: Reader, since: number): Promise<string[]> {
  return idsOf(
    db,
    `SELECT DISTINCT agent_id AS "id" FROM commands WHERE ${toStop} AND completed_at > ?`,
    since,
  );
}

/** Must be the same condition as in the index. */
const toStop = "status = 'CANCELLED' AND cancelled_while_running = 1 AND cancel_outcome IS NULL";

/** Stores what became of a command that was cancelled while it ran. */
export async function setCancelOutcome(tx: Tx, id: string, outcome: CancelOutcome): Promise<void> {
  await run(tx)`UPDATE commands SET cancel_outcome = ${outcome} WHERE id = ${id}`;
}

const claimRows = rowsUpdater(
  "commands",
  { id: "text", previous: "text", started_at: "bigint", expires_at: "bigint" },
  {
    set: (each) => `status = 'RUNNING', started_at = ${each("started_at")},
       expires_at = ${each("expires_at")}, deliveries = 1`,
    where: (each) => `commands.id = ${each("id")} AND commands.status = ${each("previous")}`,
  },
);

/** Changes PENDING to RUNNING. Returns how many commands were PENDING. */
export function claimCommands(
  tx: Tx,
  commands: readonly Pick<Command, "id" | "expiresAt">[],
): Promise<number> {
  const rows = commands.map(({ id, expiresAt }) => {
    return { id, previous: "PENDING", started_at: tx.now, expires_at: expiresAt };
  });
  return claimRows(tx, rows);
}

export async function countDelivery(tx: Tx, id: string): Promise<boolean> {
  const changed = await run(tx)`UPDATE commands SET deliveries = deliveries + 1 WHERE id = ${id}
     AND status = ${"RUNNING"}`;
  return changed === 1;
}
