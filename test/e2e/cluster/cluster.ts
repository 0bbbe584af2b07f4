// Three nodes behind a balancer, on one PostgreSQL server behind a proxy that can cut connections.

import { join } from "node:path";
import { temporaryFolder } from "../../helpers/app.ts";
import { type CuttingProxy, cuttingProxy } from "../../helpers/cutting-proxy.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { rowsIn, writeKey } from "../../helpers/postgres-cluster.ts";
import { PostgresServer } from "../../helpers/postgres-server.ts";
import { type Server, send, startServer } from "../../helpers/process/process.ts";
import { startBalancer } from "./balancer.ts";

const nodeCount = 3;
const owner = { username: "ada", password: "correct horse battery" };

export interface TestCluster {
  /** The balancer. */
  url: string;
  /** The nodes by number. `restart` replaces one. */
  nodes: Server[];
  postgres: PostgresServer;
  proxy: CuttingProxy;
  /** An owner's API key. */
  key: string;
  /** Starts a node that has ended again, on its port. */
  restart(node: number): Promise<void>;
  /** Runs a statement on a connection of its own that passes no proxy. */
  rows(sql: string): Promise<unknown[][]>;
}

export async function startCluster(): Promise<TestCluster> {
  const postgres = await PostgresServer.start({ durable: true });
  atEnd(() => postgres.stop());
  const proxy = await cuttingProxy(postgres.url());
  const folder = temporaryFolder();
  const env = {
    PLATFORM_DATABASE_URL: proxy.url,
    PLATFORM_AUDIT_KEY_FILE: writeKey(folder, "audit.key"),
    PLATFORM_SESSION_SECRET_FILE: writeKey(folder, "session.key"),
    PLATFORM_ADMIN_USERNAME: owner.username,
    PLATFORM_ADMIN_PASSWORD: owner.password,
    PLATFORM_CAPSULE_BUS_ENABLED: "true",
    PLATFORM_CAPSULE_BUS_INGEST_PER_MIN: "1000000",
  };
  const start = (node: number, port = 0) =>
    startServer({ firstStart: true, dataDir: join(folder, `node-${node}`), port, env });
  const nodes = await Promise.all(Array.from({ length: nodeCount }, (_, node) => start(node)));
  const url = await startBalancer(nodes.map((node) => node.url));
  return {
    url,
    nodes,
    postgres,
    proxy,
    key: await createKey(url),
    async restart(node) {
      nodes[node] = await start(node, Number(new URL(nodes[node]?.url ?? "").port));
    },
    rows: (sql) => rowsIn(postgres.url(), sql),
  };
}

async function createKey(url: string): Promise<string> {
  const signedIn = await send(url, "POST", "/api/admin/auth/login", { body: owner });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const created = await send(url, "POST", "/api/admin/api-keys", {
    headers: { cookie, "x-csrf-token": signedIn.body.data.csrfToken },
    body: { name: "load", role: "owner" },
  });
  if (created.status !== 201) throw new Error(`no key: ${JSON.stringify(created.body)}`);
  return created.body.data.key;
}
