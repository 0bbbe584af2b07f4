// One day's commands and silent agents, written into the database file of a stopped server. The
// numbers are the same every time.

import Database from "better-sqlite3";
import { createUlid } from "../../src/lib/ulid.ts";
import { fleet } from "./fleet.ts";

const minuteMs = 60_000;
const count = 420;
const errors = [
  ["PORT_IN_USE", "port 8080 is in use by another process"],
  ["HANDLER_TIMEOUT", "no answer within 30 s"],
  ["DISK_FULL", "/var/lib has 12 MiB left, 200 MiB are needed"],
];

export function addHistory(databaseFile: string): void {
  const database = new Database(databaseFile);
  try {
    const now = Date.now();
    database.transaction(() => {
      addCommands(database, now);
      const silence = database.prepare("UPDATE agents SET last_heartbeat_at = ? WHERE code = ?");
      for (const { code, silentMinutes } of fleet) {
        if (silentMinutes !== undefined) silence.run(now - silentMinutes * minuteMs, code);
      }
    })();
  } finally {
    database.close();
  }
}

interface Row {
  id: string;
  code: string;
  agent_id: string;
  agent_code: string;
}

function addCommands(database: Database.Database, now: number): void {
  const services = database
    .prepare<[], Row>(
      `SELECT s.id, s.code, agent_id, a.code AS agent_code
       FROM services s JOIN agents a ON a.id = agent_id ORDER BY s.code`,
    )
    .all();
  const insert = database.prepare(`
    INSERT INTO commands (id, type, status, agent_id, agent_code, service_id, service_code, action,
      payload, withheld, source_kind, source_name, timeout_seconds, created_at, expires_at, started_at,
      completed_at, deliveries, error_code, error_message)
    VALUES (?, 'ACTION_EXECUTE', ?, ?, ?, ?, ?, ?, '{}', '[]', 'operator', ?, 300, ?, ?, ?, ?, 1, ?, ?)`);
  const random = pseudoRandom(7);
  for (let number = 0; number < count; number++) {
    const service = services[Math.floor(random() * services.length)];
    if (!service) continue;
    // Most commands run during the day.
    const hoursAgo = 24 * random();
    const hour = new Date(now - hoursAgo * 60 * minuteMs).getUTCHours();
    if (random() > (hour > 6 && hour < 20 ? 1 : 0.4)) continue;
    const completedAt = Math.round(now - hoursAgo * 60 * minuteMs);
    const ms = Math.round(300 + 4_000 * random() ** 4 + 1_500 * random());
    const startedAt = completedAt - ms;
    const fate = random();
    const status = fate < 0.9 ? "SUCCEEDED" : fate < 0.97 ? "FAILED" : "CANCELLED";
    const failed = status === "FAILED";
    const [errorCode, errorMessage] = errors[number % errors.length] ?? [];
    insert.run(
      `cmd_${createUlid(startedAt - 400, Buffer.alloc(10, number))}`,
      ...[status, service.agent_id, service.agent_code, service.id, service.code],
      ...[random() < 0.5 ? "clear-cache" : "restart", random() < 0.5 ? "ben" : "anna"],
      ...[startedAt - 400, completedAt + 86_400_000, startedAt, completedAt],
      failed ? errorCode : null,
      failed ? errorMessage : null,
    );
  }
}

/** Returns numbers from 0 to 1, which are the same for the same seed. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
