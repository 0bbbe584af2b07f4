// Usage: node scripts/write-upgrade-fixture.ts [PROGRAM_FOLDER]
//
// Lets the program that introduced a schema make a database in test/upgrades/schema-<version>/,
// which test/core/upgrades.test.ts opens. Run this script once for each new migration, before the
// next migration is added.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";

/** The fixture's secrets are valid nowhere else. */
export interface FixtureFacts {
  /** The version of the program that made the fixture. */
  version: string;
  /** At this time some commands are open, and nothing has expired. */
  leftAt: string;
  password: string;
  apiKey: string;
  agents: { code: string; id: string; token: string }[];
  /** The id of one command for each status. */
  commands: Record<string, string>;
}

const shop = {
  code: "shop",
  name: "Shop",
  version: "2.0.0",
  healthStatus: "UP",
  configs: [{ key: "port", type: "number", valuePreview: "80" }],
  actions: [
    { name: "restart", inputSchema: { type: "object", properties: { hard: { type: "boolean" } } } },
  ],
};

const program = process.argv[2] ?? join(import.meta.dirname, "..");
async function fill(dataDir: string): Promise<FixtureFacts> {
  const password = "a fixture's password";
  const words = ["serve", "--port", "0", "--data-dir", dataDir, "--log-format", "json"];
  const env = {
    PATH: process.env.PATH ?? "",
    PLATFORM_ADMIN_PASSWORD: password,
    PLATFORM_CAPSULE_BUS_ENABLED: "true",
  };
  const server = spawn(join(program, "bin/platform"), words, {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const { url, version } = await listening(server.stderr);
    const ctl = (...args: string[]) => {
      const all = [...args, "--db", join(dataDir, "platform.db"), "-o", "json"];
      const printed = execFileSync(join(program, "bin/platformctl"), all, {
        env: { PATH: env.PATH },
      });
      return JSON.parse(printed.toString());
    };
    const apiKey = ctl("api-keys", "create", "--name", "fixture", "--role", "owner").key;
    const admin = (method: string, path: string, body?: unknown) =>
      call(url, apiKey, method, `/api/admin${path}`, body);

    const agents: FixtureFacts["agents"] = [];
    for (const code of ["worker", "spare"]) {
      const { token } = ctl("tokens", "create", "--name", code);
      const body = {
        registrationToken: token,
        agent: { code, mode: "sidecar", version: "1.2.3", labels: { room: "a" } },
        services: code === "worker" ? [shop] : [],
      };
      const { agentId, agentToken } = await call(url, null, "POST", "/api/agents/register", body);
      agents.push({ code, id: agentId, token: agentToken });
    }
    const [worker, spare] = agents as [FixtureFacts["agents"][0], FixtureFacts["agents"][0]];
    const agent = (method: string, path: string, body?: unknown) =>
      call(url, worker.token, method, `/api/agents/${worker.id}${path}`, body);
    await agent("POST", "/heartbeat", {});
    await agent("POST", "/services", { services: [{ ...shop, healthStatus: "DOWN" }] });
    await agent("POST", "/services", { services: [shop] });

    const [{ id: serviceId }] = await admin("GET", "/capsule-services");
    const commands: Record<string, string> = {};
    const execute = () =>
      admin("POST", `/capsule-services/${serviceId}/actions/restart`, { payload: { hard: true } });
    for (const status of ["SUCCEEDED", "FAILED", "CANCELLED", "RUNNING", "PENDING"]) {
      const { id } = (await execute()).command;
      commands[status] = id;
      if (status === "CANCELLED") await admin("POST", `/commands/${id}/cancel`, {});
      if (status === "CANCELLED" || status === "PENDING") continue;
      await agent("GET", "/commands");
      const failure = { success: false, error: { code: "BROKEN", message: "it broke" } };
      const result = status === "SUCCEEDED" ? { success: true, output: { took: 3 } } : failure;
      await sendOutput(agent, id);
      if (status !== "RUNNING") await agent("POST", `/commands/${id}/result`, result);
    }
    await publishOnce(admin, agent);
    await admin("POST", `/agents/${spare.id}/disable`, {});
    return { version, leftAt: new Date().toISOString(), password, apiKey, agents, commands };
  } finally {
    server.kill("SIGTERM");
    await once(server, "close");
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Programs older than schema 8 do not have this call. */
async function sendOutput(agent: Call, commandId: string): Promise<void> {
  const chunks = [{ offset: 0, stream: "stdout", text: "restarting\n" }];
  await ifKnown(() => agent("POST", `/commands/${commandId}/output`, { chunks }));
}

/** Returns whether the program has the call. */
async function ifKnown(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (String(error).includes("404")) return false;
    throw error;
  }
}

/** A program that is older than the event bus publishes nothing. */
async function publishOnce(admin: Call, agent: Call): Promise<void> {
  const route = {
    name: "restart-when-full",
    state: "DRY_RUN",
    match: { type: "disk.full" },
    target: { serviceCode: "shop", action: "restart" },
    payload: { hard: { const: true } },
  };
  if (!(await ifKnown(() => admin("POST", "/bus/routes", route)))) return;
  await agent("POST", "/bus/events", {
    type: "disk.full",
    source: "shop",
    id: "full-1",
    data: { disk: "/" },
  });
}

/** Returns the envelope's data. Throws an Error with the status. */
async function call(
  url: string,
  bearer: string | null,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape, from programs of every age
): Promise<any> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text).data;
}

async function listening(stderr: NodeJS.ReadableStream): Promise<{ url: string; version: string }> {
  let said = "";
  for await (const line of createInterface({ input: stderr })) {
    said += `${line}\n`;
    if (!line.includes('"listening"')) continue;
    const { url } = JSON.parse(line);
    const { version } = await call(url, null, "GET", "/api/system/version");
    return { url, version };
  }
  throw new Error(`the server exited immediately:\n${said}`);
}

const work = mkdtempSync(join(tmpdir(), "platform-fixture-"));
try {
  const dataDir = join(work, "data");
  const facts = await fill(dataDir);
  const schema = readdirSync(join(program, "migrations/sqlite")).length;
  const folder = join(
    import.meta.dirname,
    `../test/upgrades/schema-${String(schema).padStart(4, "0")}`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const database = gzipSync(readFileSync(join(dataDir, "platform.db")), { level: 9 });
  writeFileSync(join(folder, "platform.db.gz"), database);
  for (const key of ["audit.key", "session.key"])
    copyFileSync(join(dataDir, key), join(folder, key));
  writeFileSync(join(folder, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`);
  console.log(`${folder}: ${database.length} bytes`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
