// Nodes behind a balancer. Each node reaches the PostgreSQL server through its own proxy, which can
// cut the node's connections.

import { join } from "node:path";
import { temporaryFolder } from "../../helpers/app.ts";
import { type CuttingProxy, cuttingProxy } from "../../helpers/cutting-proxy.ts";
import { ownPostgresServer } from "../../helpers/postgres.ts";
import { rowsIn, writeKey } from "../../helpers/postgres-cluster.ts";
import type { PostgresServer } from "../../helpers/postgres-server.ts";
import {
  type Server,
  type ServerOptions,
  send,
  startServer,
} from "../../helpers/process/process.ts";
import { type Check, startBalancer } from "./balancer.ts";

const owner = { username: "ada", password: "correct horse battery" };

export interface TestCluster {
  /** The balancer's URL. */
  url: string;
  /** The nodes by number. `restart` replaces a node. */
  nodes: Server[];
  postgres: PostgresServer;
  /** The proxies between PostgreSQL and the node with the same number. */
  proxies: CuttingProxy[];
  /** An owner's API key. */
  key: string;
  /**
   * Restarts a node that has ended, on the same port. `from` is the folder of another program.
   * Rejects if the program ends immediately.
   */
  restart(node: number, from?: string): Promise<void>;
  /** Runs a statement on a connection of its own, without a proxy. */
  rows(sql: string): Promise<unknown[][]>;
}

export interface ClusterOptions {
  nodes?: number;
  /** The route with which the balancer checks the nodes. */
  check?: Check;
  /** Further settings of the nodes. */
  settings?: Record<string, string>;
}

export async function startCluster({
  nodes: count = 3,
  check = "health",
  settings = {},
}: ClusterOptions = {}): Promise<TestCluster> {
  const postgres = await ownPostgresServer();
  const numbers = Array.from({ length: count }, (_, node) => node);
  const proxies = await Promise.all(numbers.map(() => cuttingProxy(postgres.url())));
  const folder = temporaryFolder();
  const env = {
    PLATFORM_AUDIT_KEY_FILE: writeKey(folder, "audit.key"),
    PLATFORM_SESSION_SECRET_FILE: writeKey(folder, "session.key"),
    PLATFORM_ADMIN_USERNAME: owner.username,
    PLATFORM_ADMIN_PASSWORD: owner.password,
    PLATFORM_CAPSULE_BUS_ENABLED: "true",
    PLATFORM_CAPSULE_BUS_INGEST_PER_MIN: "1000000",
    ...settings,
  };
  const start = (node: number, options: ServerOptions = {}) => {
    const own = { ...env, PLATFORM_DATABASE_URL: proxies[node]?.url ?? "" };
    const dataDir = join(folder, `node-${node}`);
    return startServer({ ...options, firstStart: true, dataDir, env: own });
  };
  const nodes = await Promise.all(numbers.map((node) => start(node)));
  const url = await startBalancer(
    nodes.map((node) => node.url),
    check,
  );
  return {
    url,
    nodes,
    postgres,
    proxies,
    key: await ownerKey(nodes[0]?.url ?? ""),
    async restart(node, from) {
      const port = Number(new URL(nodes[node]?.url ?? "").port);
      nodes[node] = await start(node, { port, ...(from === undefined ? {} : { from }) });
    },
    rows: (sql) => rowsIn(postgres.url(), sql),
  };
}

/** Signs in, and returns a new API key with the owner role. */
async function ownerKey(url: string): Promise<string> {
  const signedIn = await send(url, "POST", "/api/admin/auth/login", { body: owner });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const created = await send(url, "POST", "/api/admin/api-keys", {
    headers: { cookie, "x-csrf-token": signedIn.body.data.csrfToken },
    body: { name: "test", role: "owner" },
  });
  return created.body.data.key;
}
