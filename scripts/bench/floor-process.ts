// Writes the rows of durable requests by hand: as the server does, in groups of one transaction and
// one flush, but with better-sqlite3 alone. Nothing is validated, hashed or decided. Receives a
// `FloorTask`, and responds with a `FloorReport`.

import { fdatasync, openSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { commandId } from "./fixtures.ts";

/** The requests whose rows can be written by hand. */
export type FloorKind = "result" | "create";

export interface FloorTask {
  kind: FloorKind;
  /** A copy of the server's database, with the rows of at least `group` requests of this kind. */
  file: string;
  seconds: number;
  /** How many requests share a transaction. */
  group: number;
  /** The number of the first running command that a result ends. */
  first: number;
}

export interface FloorReport {
  written: number;
  cpuMicros: number;
}

type Row = Record<string, string | number | null>;

const flush = promisify(fdatasync);

process.on("message", (task: FloorTask) => {
  void write(task).then((report) => process.send?.(report));
});
process.on("disconnect", () => process.exit());

async function write({ kind, file, seconds, group, first }: FloorTask): Promise<FloorReport> {
  const db = new Database(file);
  // As in src/store/engine/sqlite/file.ts and write-groups.ts.
  for (const setting of ["foreign_keys = ON", "cache_size = -32768", "secure_delete = ON"]) {
    db.pragma(setting);
  }
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  // In the server, another process moves the log into the database. Its CPU time does not count
  // either.
  db.pragma("wal_autocheckpoint = 0");
  const writeOne = kind === "create" ? creations(db, group) : results(db, group, first);
  const log = openSync(`${file}-wal`, "r+");
  const before = process.cpuUsage();
  const end = performance.now() + seconds * 1000;
  let written = 0;
  do {
    db.exec("BEGIN IMMEDIATE");
    for (let n = 0; n < group; n++) writeOne(written++);
    db.exec("COMMIT");
    await flush(log);
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  db.close();
  return { written, cpuMicros: user + system };
}

/** Inserts commands like the newest ones, and an audit row for each. */
function creations(db: Database.Database, group: number): (n: number) => void {
  const commands = newest(
    db,
    group,
    `SELECT c.* FROM audit_events a JOIN commands c ON c.id = a.target_id
     WHERE a.action = 'command.created' ORDER BY a.seq DESC LIMIT ?`,
  );
  const audit = auditor(db, "command.created");
  const insertCommand = inserter(db, "commands", commands);
  return (n) => {
    const id = `cmd_7FLOOR${String(n).padStart(20, "0")}`;
    const now = Date.now();
    insertCommand(n, { id, created_at: now, expires_at: now + 86_400_000 });
    audit(id, now);
  };
}

/** Ends the running commands from number `first`, as the newest results did. */
function results(db: Database.Database, group: number, first: number): (n: number) => void {
  const end = db.prepare(`UPDATE commands SET status = 'SUCCEEDED', completed_at = ?,
    error_code = NULL, error_message = NULL, cancelled_while_running = 0, secrets = NULL,
    held_output = NULL WHERE id = ? AND status = 'RUNNING'`);
  const latest = newest(db, group, "SELECT * FROM command_results ORDER BY id DESC LIMIT ?");
  const insertResult = inserter(db, "command_results", latest);
  const audit = auditor(db, "command.completed");
  return (n) => {
    const id = commandId(first + n);
    const now = Date.now();
    if (end.run(now, id).changes !== 1) throw new Error(`${id} is not running.`);
    const resultId = `res_7FLOOR${String(n).padStart(20, "0")}`;
    insertResult(n, { id: resultId, command_id: id, received_at: now });
    audit(id, now);
  };
}

function auditor(db: Database.Database, action: string): (targetId: string, now: number) => void {
  const rows = newest(
    db,
    1,
    `SELECT * FROM audit_events WHERE action = '${action}' ORDER BY seq DESC LIMIT ?`,
  );
  const insert = inserter(db, "audit_events", rows);
  let seq = Number(db.prepare("SELECT max(seq) FROM audit_events").pluck().get());
  return (target_id, at) => {
    seq++;
    insert(0, { seq, id: `aud_7FLOOR${String(seq).padStart(20, "0")}`, at, target_id });
  };
}

function newest(db: Database.Database, count: number, sql: string): Row[] {
  const rows = db.prepare(sql).all(count) as Row[];
  if (rows.length === 0) throw new Error("The server has written no such row yet.");
  return rows;
}

/** Returns a function that inserts a copy of row `n`, with other values in some columns. */
function inserter(
  db: Database.Database,
  table: string,
  rows: Row[],
): (n: number, changes: Row) => void {
  const columns = Object.keys(rows[0] as Row);
  const places = columns.map(() => "?").join(", ");
  const insert = db.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`);
  return (n, changes) => {
    const row = rows[n % rows.length] as Row;
    insert.run(columns.map((column) => (column in changes ? changes[column] : row[column])));
  };
}
