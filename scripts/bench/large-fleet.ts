// Inserts a large fleet and one day's commands into a database file.

import { createHash } from "node:crypto";
import Database from "better-sqlite3";

export interface FleetSize {
  agents: number;
  /** Each agent has four services. */
  services: number;
  commands: number;
}

const servicesPerAgent = 4;
const dayMs = 86_400_000;

export function insertLargeFleet(databaseFile: string, size: FleetSize): void {
  const database = new Database(databaseFile, { timeout: 10_000 });
  try {
    database.transaction(() => {
      insertAgents(database, size);
      insertServices(database, size);
      insertCommands(database, size);
    })();
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

function insertAgents(database: Database.Database, { agents }: FleetSize): void {
  const insert = database.prepare(`
    INSERT INTO agents (id, code, name, mode, version, labels, status, registered_at, updated_at,
      last_heartbeat_at)
    VALUES (?, ?, ?, 'sidecar', '1.4.2', '{"site":"north"}', 'ONLINE', :now, :now, :now)`);
  const addToken = database.prepare(
    "INSERT INTO agent_tokens (id, agent_id, token_hash, created_at) VALUES (?, ?, ?, ?)",
  );
  const now = Date.now();
  for (let number = 0; number < agents; number++) {
    const code = `edge-${String(number).padStart(5, "0")}`;
    insert.run(idOf("agt", number), code, `Edge host ${number}`, { now });
    const hash = createHash("sha256").update(code).digest("hex");
    addToken.run(idOf("atk", number), idOf("agt", number), hash, now);
  }
}

/** One service in twenty is unhealthy. */
function insertServices(database: Database.Database, { services }: FleetSize): void {
  const insert = database.prepare(`
    INSERT INTO services (id, code, agent_id, name, version, health_status, health_class,
      health_message, stored_status, created_at, updated_at, last_reported_at)
    VALUES (?, ?, ?, ?, '2.0.1', ?, ?, ?, ?, :now, :now, :now)`);
  const now = Date.now();
  for (let number = 0; number < services; number++) {
    const isWell = number % 20 !== 7;
    insert.run(
      idOf("svc", number),
      `service-${String(number).padStart(4, "0")}`,
      idOf("agt", Math.floor(number / servicesPerAgent)),
      `Service ${number}`,
      ...(isWell ? ["UP", "healthy", null] : ["DOWN", "unhealthy", "port 8080 is closed"]),
      isWell ? "HEALTHY" : "UNHEALTHY",
      { now },
    );
  }
}

function insertCommands(database: Database.Database, { commands, services }: FleetSize): void {
  const insert = database.prepare(`
    INSERT INTO commands (id, type, status, agent_id, agent_code, service_id, service_code, action,
      payload, withheld, source_kind, timeout_seconds, created_at, expires_at, started_at, completed_at,
      deliveries)
    SELECT ?, 'ACTION_EXECUTE', ?, agent_id, (SELECT a.code FROM agents a WHERE a.id = agent_id),
      id, code, 'clear-cache', '{}', '[]', 'operator', 300,
      :started, :ended, :started, :ended, 1
    FROM services WHERE id = ?`);
  const now = Date.now();
  for (let number = 0; number < commands; number++) {
    const ended = Math.round(now - (dayMs * number) / commands);
    const started = ended - 200 - (number % 3_000);
    const status = number % 25 === 0 ? "FAILED" : "SUCCEEDED";
    const service = idOf("svc", number % services);
    insert.run(idOf("cmd", commands - number), status, service, { started, ended });
  }
}

function idOf(prefix: string, number: number): string {
  return `${prefix}_01FLEET${String(number).padStart(19, "0")}`;
}
