// The compared servers: SQLite, one node on PostgreSQL, and three nodes that share another database
// of the same PostgreSQL server. All of them get the same data through their API.

import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { PostgresServer } from "../../test/helpers/postgres-server.ts";
import { type Agent, commandId, insertRunningCommands, registerAgents } from "./fixtures.ts";
import { connectionSettings, possibleHeld } from "./held-agents.ts";
import { createKey, patient, type Subject, startSubject } from "./subject.ts";

export interface Side {
  name: string;
  nodes: Subject[];
  /** One for each connection. */
  agents: Agent[];
  heldAgents: Agent[];
  operatorKey: string;
  /** Inserts running commands for `agents`, and returns their numbers. */
  insertCommands(count: number): Promise<{ first: number; end: number }>;
}

interface Options {
  connections: number;
  held: number;
  dir: string;
  folder: string;
  signal: AbortSignal;
  progress: (text: string) => void;
}

const nodesOfCluster = 3;

export async function startSides(
  options: Options,
): Promise<{ sides: Side[]; stop: () => Promise<void> }> {
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    options.progress("starting PostgreSQL");
    const server = await startPostgres(options.dir);
    ends.push(() => server.stop());
    const sides: Side[] = [];
    for (const count of [0, 1, nodesOfCluster]) {
      const name =
        count === 0 ? "SQLite" : `PostgreSQL, ${count} ${count === 1 ? "node" : "nodes"}`;
      options.progress(`starting the server and registering agents: ${name}`);
      const folder = join(options.folder, `side-${count}`);
      const url = count === 0 ? null : await createDatabase(server, `bench_${count}`);
      const place = url === null ? {} : databaseOf(folder, url);
      const env = { ...patient, ...connectionSettings(), ...place };
      const nodes: Subject[] = [];
      for (let number = 1; number <= Math.max(1, count); number++) {
        const node = await startSubject(folderIn(folder, `node-${number}`), options.signal, env);
        ends.push(() => node.stop());
        nodes.push(node);
      }
      const operatorKey = await createKey(url ?? nodes[0]?.databaseFile ?? "", "owner", place);
      sides.push(await furnish({ name, nodes, operatorKey }, url, options));
    }
    return { sides, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Commits wait for the disk, and shared_buffers has PostgreSQL's default size. */
export async function startPostgres(dir: string): Promise<PostgresServer> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = dir;
  try {
    return await PostgresServer.start({ durable: true, settings: ["shared_buffers=128MB"] });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export async function createDatabase(server: PostgresServer, name: string): Promise<string> {
  await inDatabase(server.url(), (client) => client.query(`CREATE DATABASE ${name}`));
  return server.url(name);
}

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseOf(folder: string, url: string): Record<string, string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keyIn = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
    return file;
  };
  return {
    PLATFORM_DATABASE_URL: url,
    PLATFORM_AUDIT_KEY_FILE: keyIn("audit.key"),
    PLATFORM_SESSION_SECRET_FILE: keyIn("session.key"),
  };
}

function folderIn(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

async function furnish(
  started: Pick<Side, "name" | "nodes" | "operatorKey">,
  url: string | null,
  { connections, held }: Options,
): Promise<Side> {
  const { port, databaseFile } = started.nodes[0] as Subject;
  const all = await registerAgents(port, started.operatorKey, connections + possibleHeld(held));
  const agents = all.slice(0, connections);
  let next = 1;
  return {
    ...started,
    agents,
    heldAgents: all.slice(connections),
    async insertCommands(count) {
      const numbers = { first: next, end: next + count };
      next = numbers.end;
      if (url === null) insertRunningCommands(databaseFile, agents, numbers);
      else await inDatabase(url, (client) => insertIntoPostgres(client, agents, numbers));
      return numbers;
    },
  };
}

/** Does on PostgreSQL what `insertRunningCommands` does on SQLite. */
async function insertIntoPostgres(
  client: pg.Client,
  agents: Agent[],
  { first, end }: { first: number; end: number },
): Promise<void> {
  const ids = Array.from({ length: end - first }, (_, i) => commandId(first + i));
  const of = ids.map((_, i) => agents[i % agents.length] as Agent);
  await client.query(
    `INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
       withheld, agent_code, source_kind, timeout_seconds, created_at, expires_at, started_at,
       deliveries)
     SELECT v.id, 'ACTION_EXECUTE', 'RUNNING', a.id, v.service, v.code, 'clear-cache',
       '{"cache":"pages"}', '[]', a.code, 'operator', 86400, v.now, v.now + 86400000, v.now, 1
     FROM (SELECT unnest($1::text[]) AS id, unnest($2::text[]) AS agent, unnest($3::text[]) AS service,
       unnest($4::text[]) AS code, $5::bigint AS now) AS v
     JOIN agents a ON a.id = v.agent`,
    [
      ids,
      of.map(({ id }) => id),
      of.map(({ serviceId }) => serviceId),
      of.map(({ serviceCode }) => serviceCode),
      Date.now(),
    ],
  );
}
