// The forwarding adapter between real processes: whatever is killed on the way, each event of the
// service is stored once, in the service's order.

import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/cli/connect.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { cleanEnv, startServer, until } from "../helpers/process.ts";

const total = 500;
const env = {
  PLATFORM_CAPSULE_BUS_ENABLED: "true",
  PLATFORM_CAPSULE_BUS_INGEST_PER_MIN: "1000000",
};
const root = join(import.meta.dirname, "../..");

test("500 events, two restarts of the server, one of the agent: each stored once, in order", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const stateDir = join(temporaryFolder(), "state");
  let server = await startServer({ dataDir, env });
  const port = Number(new URL(server.url).port);
  const service = await startService();
  const words = [server.url, stateDir, await registrationToken(server.file), service.eventsUrl];
  const startAgent = () => startNode(join(import.meta.dirname, "forwarding-program.ts"), words);
  const file = new BetterSqlite3(server.file, { readonly: true });
  onTestFinished(() => void file.close());
  const count = file.prepare("SELECT COUNT(*) FROM bus_events").pluck();
  const reached = (least: number) =>
    until(`${least} events`, () => Number(count.get()) >= least, 20_000);

  await service.order(total / 2);
  const ordering = service.order(total / 2);
  let agent = startAgent();
  await reached(100);
  await server.kill();
  server = await startServer({ dataDir, port, env });
  await reached(220);
  agent.kill();
  await agent.ended;
  agent = startAgent();
  await reached(330);
  await server.stop();
  server = await startServer({ dataDir, port, env });
  await ordering;
  await reached(total);

  const cursorFile = join(stateDir, "bus-shop.json");
  const wanted = await service.ids();
  await until("the cursor", () => readFileSync(cursorFile, "utf8").includes(wanted.at(-1) ?? "-"));
  expect(statSync(cursorFile).mode & 0o777).toBe(0o600);
  const stored = file.prepare("SELECT event_id FROM bus_events ORDER BY id").pluck().all();
  expect(wanted).toHaveLength(total);
  expect(stored).toEqual(wanted);
  const received = "SELECT COUNT(*) FROM audit_events WHERE action = 'bus.event.received'";
  expect(file.prepare(received).pluck().get()).toBe(total);
  expect(agent.output()).not.toContain("bus.skipped");
  agent.kill();
  await agent.ended;
  await server.stop();
}, 60_000);

/** The example of the documentation. */
async function startService() {
  const program = startNode(join(root, "docs/examples/events-service.mjs"), []);
  const line = await until("the service's address", () => program.output().match(/http:\S+/));
  const url = line[0];
  const eventsUrl = `${url}/capsule/bus/events`;
  return {
    eventsUrl,
    async order(times: number): Promise<void> {
      for (let n = 0; n < times; n++) {
        const { status } = await fetch(`${url}/orders`, { method: "POST" });
        expect(status).toBe(201);
      }
    },
    async ids(): Promise<string[]> {
      const answer = await fetch(`${eventsUrl}?limit=10000`);
      const { events } = (await answer.json()) as { events: { id: string }[] };
      return events.map(({ id }) => id);
    },
  };
}

async function registrationToken(db: string): Promise<string> {
  const io = { env: {}, now: () => Date.now() } as Parameters<typeof connect>[0];
  const client = await connect(io, { db });
  const { token } = await client.call("registration-tokens.create", { body: {} });
  await client.close();
  return token;
}

/** A script in a process of its own, which is killed when the test ends. */
function startNode(script: string, words: string[]) {
  const options = { env: cleanEnv({ PORT: "0" }), stdio: ["ignore", "pipe", "inherit"] as const };
  const child = spawn(process.execPath, [script, ...words], {
    ...options,
    stdio: [...options.stdio],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = () => void child.kill("SIGKILL");
  onTestFinished(() => {
    kill();
    return ended;
  });
  return { output: () => output, ended, kill };
}
