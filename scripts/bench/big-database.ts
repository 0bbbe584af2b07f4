// Builds a database with a long history in a folder. Later runs use it again. The audit trail has a
// valid hash chain, so that verification reads all of it.

import { createSecretKey, hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { dayMs } from "../../src/lib/duration.ts";
import { chainHash, type NewAuditEvent } from "../../src/store/audit/chain-hash.ts";
import { loadKey } from "../../src/store/files/key-files.ts";
import { type FleetSize, idOf, insertCommands, insertFleet } from "./large-fleet.ts";
import { startSubject } from "./subject.ts";

export interface BigSize extends FleetSize {
  auditRows: number;
}

export const bigSize: BigSize = {
  agents: 10_000,
  services: 20_000,
  servicesPerAgent: 2,
  commands: 1_000_000,
  days: 30,
  auditRows: 5_000_000,
};

/** Keeps the history, however old the folder is. */
export const keepsHistory = {
  PLATFORM_AUDIT_RETENTION_DAYS: "0",
  PLATFORM_COMMAND_RETENTION_DAYS: "0",
};

const rowsPerTransaction = 50_000;
const sizeFile = "bench-size.json";

type Progress = (text: string) => void;

/** Returns the data folder. An interrupted build leaves nothing that a later run would use. */
export async function openBigDatabase(
  bigDir: string,
  size: BigSize,
  signal: AbortSignal,
  progress: Progress,
): Promise<string> {
  const folder = join(bigDir, "data");
  if (existsSync(folder)) {
    const found = readFileSync(join(folder, sizeFile), "utf8");
    if (found !== JSON.stringify(size)) {
      throw new Error(
        `${folder} has a database of another size. Delete it, or name another folder.`,
      );
    }
    markAlive(join(folder, "platform.db"));
    return folder;
  }
  const draft = join(bigDir, "data.partial");
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    await build(draft, size, signal, progress);
    writeFileSync(join(draft, sizeFile), JSON.stringify(size));
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

async function build(folder: string, size: BigSize, signal: AbortSignal, progress: Progress) {
  // The server creates the schema, the keys and the first rows of the trail.
  await (await startSubject(folder, signal, keepsHistory)).stop();
  const database = new Database(join(folder, "platform.db"));
  try {
    database.pragma("synchronous = OFF");
    database.pragma("cache_size = -500000");
    const tables = ["commands", "audit_events"];
    const indexes = dropIndexes(database, tables);
    database.transaction(() => insertFleet(database, size))();
    await inSteps(size.commands, "commands", { signal, progress }, (first, end) => {
      database.transaction(() => insertCommands(database, size, first, end))();
    });
    const append = auditWriter(database, folder, size);
    await inSteps(size.auditRows, "audit rows", { signal, progress }, (first, end) => {
      database.transaction(() => append(first, end))();
    });
    for (const [i, sql] of indexes.entries()) {
      progress(`building the database: index ${i + 1} of ${indexes.length}`);
      database.exec(sql);
      await nextTurn();
      signal.throwIfAborted();
    }
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

/**
 * Drops the indexes of the tables, and returns the statements that create them. Creating an index
 * at the end is several times faster than filling it row by row.
 */
function dropIndexes(database: Database.Database, tables: string[]): string[] {
  const indexes = database
    .prepare("SELECT name, tbl_name AS 'table', sql FROM sqlite_schema WHERE type = 'index'")
    .all() as { name: string; table: string; sql: string | null }[];
  const ours = indexes.filter(({ table, sql }) => sql !== null && tables.includes(table));
  for (const { name } of ours) database.exec(`DROP INDEX "${name}"`);
  return ours.map(({ sql }) => sql as string);
}

async function inSteps(
  count: number,
  what: string,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
  step: (first: number, end: number) => void,
): Promise<void> {
  for (let first = 0; first < count; first += rowsPerTransaction) {
    const end = Math.min(first + rowsPerTransaction, count);
    step(first, end);
    if (end === count || end % (10 * rowsPerTransaction) === 0) {
      progress(`building the database: ${end} of ${count} ${what}`);
    }
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** Continues the trail that the server began. */
function auditWriter(database: Database.Database, folder: string, size: BigSize) {
  const key = createSecretKey(loadKey(join(folder, "audit.key")));
  const insert = database.prepare(`
    INSERT INTO audit_events (seq, id, at, actor_type, actor_id, actor_name, action, target_type,
      target_id, result, message, ip, user_agent, request_id, metadata, hash)
    VALUES (@seq, @id, @at, @actorType, @actorId, @actorName, @action, @targetType, @targetId,
      @result, @message, @ip, @userAgent, @requestId, @metadata, @hash)`);
  let head = database
    .prepare("SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1")
    .get() as { seq: number; hash: string };
  const from = Date.now() - size.days * dayMs;
  return (first: number, end: number) => {
    for (let number = first; number < end; number++) {
      const at = from + Math.floor((number * size.days * dayMs) / size.auditRows);
      const event = eventOf(number, at, size);
      const seq = head.seq + 1;
      head = { seq, hash: chainHash(key, head.hash, seq, event) };
      insert.run({ ...event, ...head, metadata: JSON.stringify(event.metadata) });
    }
  };
}

/** Failures, events by users, and denials are rare. Denials are only among the oldest rows. */
function eventOf(number: number, at: number, size: BigSize): NewAuditEvent {
  const service = number % size.services;
  const isUser = number % 500 === 0;
  const isDenied = number < size.auditRows / 100 && number % 700 === 1;
  const isHealth = number % 3 === 2;
  const agent = idOf("agt", Math.floor(service / size.servicesPerAgent));
  const actions = ["command.created", "command.completed", "service.health.changed"] as const;
  const command = idOf("cmd", 1 + (Math.floor(number / 5) % size.commands));
  return {
    id: idOf("aud", number),
    at,
    actorType: isUser ? "USER" : "AGENT",
    actorId: isUser ? "usr_01FLEET" : agent,
    actorName: isUser ? "operator" : `edge-${String(service).padStart(5, "0")}`,
    action: isDenied ? "access.denied" : (actions[number % 3] as string),
    targetType: isDenied ? "route" : isHealth ? "service" : "command",
    targetId: isDenied ? "users.create" : isHealth ? idOf("svc", service) : command,
    result: isDenied ? "DENIED" : number % 200 === 0 ? "FAILURE" : "SUCCESS",
    message: null,
    ip: "192.0.2.10",
    userAgent: null,
    requestId: `req_${hash("md5", String(number), "hex")}`,
    metadata: { action: "clear-cache", serviceCode: `service-${service}` },
  };
}

/** Without this, the agents of an old folder would be offline. */
function markAlive(databaseFile: string): void {
  const database = new Database(databaseFile);
  try {
    const now = Date.now();
    database
      .prepare("UPDATE agents SET last_heartbeat_at = ?, updated_at = ?, status = 'ONLINE'")
      .run(now, now);
    database.prepare("UPDATE services SET last_reported_at = ?").run(now);
  } finally {
    database.close();
  }
}
