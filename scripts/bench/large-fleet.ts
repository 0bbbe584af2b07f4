// Inserts a large fleet and its past commands into a database file.

import { hash } from "node:crypto";
import Database from "better-sqlite3";
import { mintToken } from "../../src/domain/access/credentials.ts";
import { dayMs } from "../../src/lib/duration.ts";
import { type Agent, serviceReport } from "./fixtures.ts";

export interface FleetSize {
  agents: number;
  /** The first agents have the services. */
  services: number;
  servicesPerAgent: number;
  commands: number;
  /** The commands are spread over this time. */
  days: number;
}

export function insertLargeFleet(databaseFile: string, size: FleetSize): void {
  const database = new Database(databaseFile, { timeout: 10_000 });
  try {
    database.transaction(() => {
      insertFleet(database, size);
      insertCommands(database, size, 0, size.commands);
    })();
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

/** Inserts the agents and their services. */
export function insertFleet(database: Database.Database, size: FleetSize): void {
  insertAgents(database, size);
  insertServices(database, size);
}

/** The agent with this number, which has at least one service. */
export function fleetAgent(number: number, { servicesPerAgent }: FleetSize): Agent {
  const service = number * servicesPerAgent;
  return {
    id: idOf("agt", number),
    token: fleetToken(number),
    serviceId: idOf("svc", service),
    serviceCode: serviceCodeOf(service),
  };
}

/** Every process derives the same token from the number, so that no list of tokens is needed. */
export function fleetToken(number: number): string {
  let block = 0;
  return mintToken("agent", (bytes) => {
    bytes.set(hash("sha512", `${number}/${block++}`, "buffer").subarray(0, bytes.length));
  });
}

function insertAgents(database: Database.Database, { agents }: FleetSize): void {
  const insert = database.prepare(`
    INSERT INTO agents (id, code, name, mode, version, labels, status, registered_at, updated_at,
      last_heartbeat_at)
    VALUES (?, ?, ?, 'sidecar', '1.4.2', '{"site":"north"}', 'ONLINE', :now, :now, :now)`);
  const addToken = database.prepare(
    "INSERT INTO agent_tokens (id, agent_id, token_hash, created_at) VALUES (?, ?, ?, ?)",
  );
  const addLabel = database.prepare(
    "INSERT INTO agent_labels (agent_id, key, value) VALUES (?, 'site', 'north')",
  );
  const now = Date.now();
  for (let number = 0; number < agents; number++) {
    const code = `edge-${String(number).padStart(5, "0")}`;
    insert.run(idOf("agt", number), code, `Edge host ${number}`, { now });
    addLabel.run(idOf("agt", number));
    const tokenHash = hash("sha256", fleetToken(number), "hex");
    addToken.run(idOf("atk", number), idOf("agt", number), tokenHash, now);
  }
}

/** One service in twenty is unhealthy. */
function insertServices(
  database: Database.Database,
  { services, servicesPerAgent }: FleetSize,
): void {
  const insert = database.prepare(`
    INSERT INTO services (id, code, agent_id, name, version, health_status, health_class,
      health_message, stored_status, created_at, updated_at, last_reported_at)
    VALUES (?, ?, ?, ?, '2.0.1', ?, ?, ?, ?, :now, :now, :now)`);
  const addAction = database.prepare(`
    INSERT INTO service_actions (service_id, name, position, label, description, danger_level,
      requires_confirmation, input_schema)
    VALUES (?, ?, ?, ?, ?, 'LOW', 0, ?)`);
  const actions = serviceReport("").services.flatMap((service) => service.actions);
  const now = Date.now();
  for (let number = 0; number < services; number++) {
    const isWell = number % 20 !== 7;
    insert.run(
      idOf("svc", number),
      serviceCodeOf(number),
      idOf("agt", Math.floor(number / servicesPerAgent)),
      `Service ${number}`,
      ...(isWell ? ["UP", "healthy", null] : ["DOWN", "unhealthy", "port 8080 is closed"]),
      isWell ? "HEALTHY" : "UNHEALTHY",
      { now },
    );
    for (const [position, { name, label, description, inputSchema }] of actions.entries()) {
      const schema = JSON.stringify(inputSchema);
      addAction.run(idOf("svc", number), name, position, label, description, schema);
    }
  }
}

/** Commands are numbered from the newest. One in 25 failed. */
export function insertCommands(
  database: Database.Database,
  { commands, services, days }: FleetSize,
  first: number,
  end: number,
): void {
  const insert = database.prepare(`
    INSERT INTO commands (id, type, status, agent_id, agent_code, service_id, service_code, action,
      payload, withheld, source_kind, timeout_seconds, created_at, expires_at, started_at, completed_at,
      deliveries)
    SELECT ?, 'ACTION_EXECUTE', ?, agent_id, (SELECT a.code FROM agents a WHERE a.id = agent_id),
      id, code, 'clear-cache', '{}', '[]', 'operator', 300,
      :started, :ended, :started, :ended, 1
    FROM services WHERE id = ?`);
  const countEnd = database.prepare(
    "UPDATE command_outcomes SET count = count + ? WHERE status = ?",
  );
  const now = Date.now();
  let failed = 0;
  for (let number = first; number < end; number++) {
    const ended = Math.round(now - (days * dayMs * number) / commands);
    const started = ended - 200 - (number % 3_000);
    const status = number % 25 === 0 ? "FAILED" : "SUCCEEDED";
    if (status === "FAILED") failed++;
    const service = idOf("svc", number % services);
    insert.run(idOf("cmd", commands - number), status, service, { started, ended });
  }
  countEnd.run(failed, "FAILED");
  countEnd.run(end - first - failed, "SUCCEEDED");
}

export function serviceCodeOf(number: number): string {
  return `service-${String(number).padStart(4, "0")}`;
}

export function idOf(prefix: string, number: number): string {
  return `${prefix}_01FLEET${String(number).padStart(19, "0")}`;
}
