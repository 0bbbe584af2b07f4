// Tests the event bus with real processes: kill -9 during routing, and events that are published in
// the database file.

import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import {
  callAs,
  type RemoteAgent,
  registerAgent,
  type Server,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { rowsIn } from "../helpers/process/rows.ts";
import { size } from "../helpers/size.ts";

const rounds = size(1, 2);
const workers = 8;
/** In each round, the server is killed after this many events. */
const enough = 30;
const env = {
  PLATFORM_CAPSULE_BUS_ENABLED: "true",
  PLATFORM_CAPSULE_BUS_INGEST_PER_MIN: "1000000",
};
const services = [
  {
    code: "log-collector",
    name: "Log collector",
    version: "1",
    healthStatus: "UP",
    actions: [{ name: "rotate" }],
  },
];
const states = ["ENABLED", "ENABLED", "DRY_RUN", "DISABLED"] as const;

test("after kill -9 while events are routed, each event is stored with all of its commands, or not at all, and of concurrent events with the same id, one is stored", async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir, env });
  const agent = await makeAgentAndRoutes(server);
  /** The events' ids by the publisher's ids. */
  const answered = new Map<string, string>();
  for (let round = 1; round <= rounds; round++) {
    const before = answered.size;
    const call = callAs(server.url, agent.agentToken);
    const load = Array.from({ length: workers }, async (_, worker) => {
      for (let turn = 0; ; turn++) {
        const id = `${round}-${worker}-${turn}`;
        const answer = await publish(call, agent.agentId, id).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBe(201);
        answered.set(id, answer.body.data.id);
      }
    });
    const working = Promise.all(load);
    await Promise.race([until("enough", () => answered.size - before >= enough), working]);
    await server.kill();
    await working;

    const { file } = server;
    const stored = rowsIn(file, "SELECT event_id, id FROM bus_events");
    expect(stored).toEqual(expect.arrayContaining([...answered]));
    expect(rowsIn(file, partial)).toEqual([]);
    expect(rowsIn(file, orphans)).toEqual([]);
    expect(rowsIn(file, "PRAGMA integrity_check")).toEqual([["ok"]]);

    server = await startServer({ dataDir, env });
    const last = [...answered.keys()].at(-1) ?? "";
    const again = await publish(callAs(server.url, agent.agentToken), agent.agentId, last);
    expect(again).toMatchObject({ status: 200, body: { data: { duplicate: true } } });
  }

  // Half of them over HTTP, half in the file.
  const client = await operatorOf(server);
  const total = async () => (await client.page("commands.list")).pagination.total;
  const commands = await total();
  const call = callAs(server.url, agent.agentToken);
  const body = { type: "log.full", source: "log-collector", id: "one" };
  const publishing = Array.from({ length: 50 }, async () => [
    publish(call, agent.agentId, "one").then((answer) => answer.body.data),
    client.call("bus-events.publish", { body }),
  ]);
  const answers = await Promise.all((await Promise.all(publishing)).flat());
  expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(await total()).toBe(commands + 2);
});

/** Finds events that lack some of their matches, commands or audit rows. */
const partial = `SELECT e.id FROM bus_events e WHERE
  (SELECT COUNT(*) FROM bus_matches WHERE event_id = e.id) <> 3
  OR (SELECT COUNT(*) FROM commands WHERE source_id = e.id) <> 2
  OR (SELECT COUNT(*) FROM audit_events WHERE target_id = e.id AND action = 'bus.event.received') <> 1
  OR (SELECT COUNT(*) FROM commands c JOIN bus_matches m ON m.command_id = c.id
      JOIN audit_events a ON a.target_id = c.id AND a.action = 'command.created'
      WHERE m.event_id = e.id AND m.route_id = c.source_route_id) <> 2`;

const orphans = `SELECT id FROM commands WHERE source_kind = 'bus'
  AND source_id NOT IN (SELECT id FROM bus_events)`;

async function makeAgentAndRoutes(server: Server): Promise<RemoteAgent> {
  const client = await operatorOf(server);
  const agent = await registerAgent(server.url, await createToken(server), "edge-1", services);
  for (const [index, state] of states.entries()) {
    const target = { serviceCode: "log-collector", action: "rotate" };
    const body = { name: `route ${index}`, state, match: { type: "log.*" }, target };
    await client.call("bus-routes.create", { body });
  }
  return agent;
}

function publish(call: RemoteAgent["call"], agentId: string, id: string) {
  const body = { type: "log.full", source: "log-collector", id };
  return call("POST", `/${agentId}/bus/events`, body);
}
