// Creates many audit events, commands and bus events. Some filter values are common, some are rare,
// and some are only in old rows. The hashes of the audit rows are not valid.

import BetterSqlite3 from "better-sqlite3";
import type { TestApp } from "../helpers/app.ts";
import { forceOnPostgres, isOnPostgres } from "../helpers/postgres-app.ts";

export const generatedFrom = Date.parse("2026-01-01T00:00:00.000Z");
export const stepMs = 1000;

export interface Sizes {
  auditEvents: number;
  commands: number;
  busEvents: number;
}

/** The rows refer to these ids. Of these, only the agents exist. */
export const agentIds = numbered("agt", 10);
export const serviceIds = numbered("svc", 10);
export const routeIds = numbered("brt", 3);

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}_${String(n).padStart(26, "0")}`);
}

/** Returns SQL for both engines that puts zeros before a number. */
const padded = (n: string, length: number) =>
  `substr('${"0".repeat(length)}' || (${n}), length('' || (${n})) + 1)`;
const id = (prefix: string, n: string) => `'${prefix}_' || ${padded(n, 26)}`;
const at = `${generatedFrom} + n * ${stepMs}`;
/** The clock was set back twice, once by a quarter of the whole time. */
const setBack = (count: number) =>
  `${generatedFrom} + (n - CASE WHEN n > ${count} / 3 THEN ${count} / 50 ELSE 0 END
     - CASE WHEN n > ${count} / 2 THEN ${count} / 4 ELSE 0 END) * ${stepMs}`;
/** Returns SQL that defines `numbers`, with the numbers from 1 to `count`. */
const rows = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;

export function generateLists(where: Where, sizes: Sizes, clock = "steady"): Promise<void> {
  return generate(where, statements(sizes, clock));
}

/** Adds this many agents to the ten of `generateLists`. */
export function generateAgents(where: Where, count: number): Promise<void> {
  return generate(where, [
    `${rows(count)} INSERT INTO agents (id, code, mode, status, registered_at, updated_at)
     SELECT ${id("agt", "n + 1000")}, 'many-' || n, 'sidecar', 'OFFLINE', ${at}, ${at} FROM numbers`,
  ]);
}

/** A test app, or a server on a file. */
type Where = Pick<TestApp, "file"> & Partial<Pick<TestApp, "config">>;

async function generate({ file, config }: Where, all: string[]): Promise<void> {
  if (config && isOnPostgres(config.dataDir)) {
    // Without statistics, which PostgreSQL otherwise collects a minute later, its plans are bad.
    return forceOnPostgres(config.dataDir, ...all, "ANALYZE");
  }
  const database = new BetterSqlite3(file);
  database.pragma("synchronous = OFF");
  database.pragma("foreign_keys = OFF");
  database.transaction(() => {
    for (const statement of all) database.exec(statement);
  })();
  database.close();
}

function statements({ auditEvents, commands, busEvents }: Sizes, clock: string): string[] {
  const when = (count: number) => (clock === "set back" ? setBack(count) : at);
  const rare = (count: number) => `n < ${count} / 100 AND n % 7 = 0`;
  return [
    `${rows(10)} INSERT INTO agents (id, code, mode, status, registered_at, updated_at)
     SELECT ${id("agt", "n - 1")}, 'generated-' || n, 'sidecar', 'ONLINE', ${at}, ${at} FROM numbers`,
    `${rows(auditEvents)} INSERT INTO audit_events (seq, id, at, actor_type, actor_id, action, target_type, target_id,
       result, metadata, hash)
     SELECT n + (SELECT COALESCE(MAX(seq), 0) FROM audit_events), ${id("aud", "n")}, ${when(auditEvents)},
       CASE WHEN ${rare(auditEvents)} THEN 'LOCAL' WHEN n % 50 = 0 THEN 'USER' ELSE 'AGENT' END,
       CASE WHEN n % 50 = 0 THEN 'usr_1' ELSE ${id("agt", "n % 9")} END,
       CASE WHEN ${rare(auditEvents)} THEN 'user.created' WHEN n % 3 = 0 THEN 'command.created'
         WHEN n % 3 = 1 THEN 'command.completed' ELSE 'service.health.changed' END,
       CASE WHEN n % 3 = 2 THEN 'service' WHEN ${rare(auditEvents)} THEN 'user' ELSE 'command' END,
       CASE WHEN n % 3 = 2 THEN ${id("svc", "n % 10")} ELSE ${id("cmd", "n / 3")} END,
       CASE WHEN ${rare(auditEvents)} THEN 'DENIED' WHEN n % 20 = 0 THEN 'FAILURE' ELSE 'SUCCESS' END,
       '{"serviceCode":"log-collector","action":"rotate"}', ${padded("n", 64)}
     FROM numbers`,
    `${rows(commands)} INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
       source_kind, source_id, source_route_id, timeout_seconds, created_at, expires_at)
     SELECT ${id("cmd", "n")}, CASE n % 2 WHEN 0 THEN 'ACTION_PREPARE' ELSE 'ACTION_EXECUTE' END,
       CASE WHEN ${rare(commands)} THEN 'CANCELLED' WHEN n % 10 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END,
       ${id("agt", "n % 9")}, ${id("svc", "n % 10")}, 'service', CASE WHEN ${rare(commands)} THEN 'rare' ELSE 'rotate' END,
       '{}', CASE n % 4 WHEN 0 THEN 'bus' ELSE 'operator' END, 'bev_' || n, ${id("brt", "n % 3")}, 60, ${when(commands)}, ${at}
     FROM numbers`,
    `${rows(busEvents)} INSERT INTO bus_events (id, agent_id, source, event_id, type, depth, envelope, received_at)
     SELECT ${id("bev", "n")}, ${id("agt", "n % 9")}, 'service-' || (n % 10), '' || n,
       CASE WHEN ${rare(busEvents)} THEN 'log.rare' ELSE 'log.full' END, 0, '{}', ${when(busEvents)} FROM numbers`,
    `${rows(busEvents)} INSERT INTO bus_matches (event_id, route_id, outcome)
     SELECT ${id("bev", "n")}, ${id("brt", "n % 3")}, 'DRY_RUN' FROM numbers WHERE n % 2 = 0`,
  ];
}
