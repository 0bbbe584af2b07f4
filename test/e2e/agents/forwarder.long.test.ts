// Tests that the server stores each event that a sidecar forwards once and in order, whichever
// process is killed.

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { operatorOf } from "../../helpers/process/operator.ts";
import { startCommand, startServer, until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

const total = 500;
const busOn = {
  PLATFORM_CAPSULE_BUS_ENABLED: "true",
  PLATFORM_CAPSULE_BUS_INGEST_PER_MIN: "1000000",
};

test("each of many events is stored once and in order although the server and the agent are killed", async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir, env: busOn });
  const port = Number(new URL(server.url).port);
  const service = await startService();
  const bus = { url: service.eventsUrl, interval: 0.1 };
  const services = [{ code: "shop", version: "1.0.0", bus }];
  const config = await agentFile(server, await operatorOf(server), { services });
  const startAgent = () => startSidecar(config);
  const file = new BetterSqlite3(server.file, { readonly: true });
  onTestFinished(() => void file.close());
  const count = file.prepare("SELECT COUNT(*) FROM bus_events").pluck();
  const reached = (least: number) => until(`${least} events`, () => Number(count.get()) >= least);

  await service.order(total / 2);
  const ordering = service.order(total / 2);
  let agent = startAgent();
  await reached(total / 5);
  await server.kill();
  server = await startServer({ dataDir, port, env: busOn });
  await reached(total * 0.44);
  await agent.kill();
  agent = startAgent();
  await reached(total * 0.66);
  await server.stop();
  server = await startServer({ dataDir, port, env: busOn });
  await ordering;
  await reached(total);

  const cursorFile = join(dirname(config), "state", "bus-shop.json");
  const wanted = await service.ids();
  await until(
    "the agent has saved its position",
    () => existsSync(cursorFile) && readFileSync(cursorFile, "utf8").includes(wanted.at(-1) ?? "-"),
  );
  expect(statSync(cursorFile).mode & 0o777).toBe(0o600);
  const stored = file.prepare("SELECT event_id FROM bus_events ORDER BY id").pluck().all();
  expect(wanted).toHaveLength(total);
  expect(stored).toEqual(wanted);
  const received = "SELECT COUNT(*) FROM audit_events WHERE action = 'bus.event.received'";
  expect(file.prepare(received).pluck().get()).toBe(total);
  expect(agent.stderr()).toContain("bus.forwarded");
  expect(agent.stderr()).not.toContain("bus.skipped");
  agent.signal("SIGTERM");
  expect(await agent.ended).toMatchObject({ status: 0 });
  await server.stop();
});

/** Starts the example service of the documentation. */
async function startService() {
  const script = join(import.meta.dirname, "../../../docs/examples/events-service.mjs");
  const service = startCommand([process.execPath, script], { env: { PORT: "0" } });
  const url = await until("the service listens", () => service.stdout().trim());
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
