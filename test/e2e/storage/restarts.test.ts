// Tests that `--wait`, the `wait` commands and rollouts survive restarts of the server.

import { join } from "node:path";
import { expect, test } from "vitest";
import { wireTo } from "../../agent/harness.ts";
import { cli } from "../../cli/world.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { createKey, createToken } from "../../helpers/process/operator.ts";
import {
  type RemoteAgent,
  registerAgent,
  send,
  startServer,
  until,
} from "../../helpers/process/process.ts";
import { size } from "../../helpers/size.ts";

const restarts = size(1, 5);
const service = {
  code: "backup",
  name: "Backup",
  version: "1",
  healthStatus: "UP",
  actions: [{ name: "go", prepare: false }],
};

const fleet = ["web-1", "web-2", "web-3", "web-4", "web-5"];
const rollout = {
  ...{ action: "go", services: fleet, maxParallel: 2 },
  // One service, then three, then one.
  waves: ["1", "4"],
  // After a wave, only a job of the server can continue the rollout.
  between: 1,
};
const rollouts = "/api/admin/rollouts";

test("waits and a rollout survive several restarts, waits end when their condition is met, and each action runs once", async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir });
  const place = { port: portOf(server) };
  // The commands and agents reach the server at the same URL after each restart.
  const { url } = await wireTo(place);
  const key = await createKey(server);
  const agent = await registerAgent(url, await createToken(server), "edge-1", [service]);
  const run = (...words: string[]) => {
    const common = ["--timeout", "120s", "-o", "json", "--server", url];
    let notes = "";
    const note = (text: string) => {
      notes += text;
    };
    const ended = cli([...words, ...common], { env: { API_KEY: key }, io: { note } });
    return { notes: () => notes, ended };
  };
  const ran = run("actions", "run", "backup", "go", "--wait");
  const id = await until("the id is printed", () => /cmd_\w{26}/.exec(ran.notes())?.[0]);
  const waiting = run("services", "wait", "later", "--debug");
  // Waiting for a named object begins with two calls.
  const answers = () => waiting.notes().match(/ (200|404) /g)?.length ?? 0;
  await until("the command waits", () => answers() >= 3);
  const polled = await agent.call("GET", "/commands?wait=5");
  expect(polled.body.data.commands).toMatchObject([{ id }]);

  const services = fleet.map((code) => ({ ...service, code }));
  const machine = (await registerAgent(url, await createToken(server), "edge-2", services)).call;
  const created = await send(url, "POST", rollouts, { bearer: key, body: rollout });
  const first = await nextCommand(machine);
  await succeed(machine, first);
  const second = await nextCommand(machine);
  const third = await nextCommand(machine, second.id);
  // When the server is killed, one service of the second wave has ended, one runs, and one is left.
  await succeed(machine, second);

  for (let restart = 1; restart <= restarts; restart++) {
    await (restart % 2 === 0 ? server.stop() : server.kill());
    if (restart === 1) {
      for (const wait of [ran, waiting]) {
        await until("the command notices the outage", () =>
          wait.notes().includes("retrying until"),
        );
      }
    }
    if (restart < restarts) {
      server = await startServer({ dataDir, port: place.port });
    }
  }
  // Nothing stops the last server, so it needs no process.
  const last = await serveInProcess({ DATA_DIR: dataDir });
  place.port = portOf(last);

  expect((await agent.call("GET", `/commands?wait=0&held=${id}`)).body.data.commands).toEqual([]);
  await agent.call("POST", `/commands/${id}/result`, { success: true, output: { files: 7 } });
  await registerAgent(url, await createToken(last), "edge-9", [{ ...service, code: "later" }]);
  const ended = await ran.ended;
  expect(JSON.parse(ended.stdout)).toMatchObject({ id, result: { output: { files: 7 } } });
  for (const wait of [ran, waiting]) {
    expect((await wait.ended).status).toBe(0);
    expect(wait.notes().split("retrying until")).toHaveLength(2);
  }

  const fourth = await nextCommand(machine, third.id);
  await succeed(machine, third);
  await succeed(machine, fourth);
  const fifth = await nextCommand(machine);
  await succeed(machine, fifth);
  const order = [first, second, third, fourth, fifth].map(({ serviceCode }) => serviceCode);
  expect(order.sort()).toEqual(fleet);
  await until("the rollout has succeeded", async () => {
    const path = `${rollouts}/${created.body.data.id}`;
    return (await send(url, "GET", path, { bearer: key })).body.data.state === "SUCCEEDED";
  });

  const executions = "/api/admin/commands?type=ACTION_EXECUTE";
  const listed = await send(url, "GET", executions, { bearer: key });
  expect(listed.body.pagination.total).toBe(1 + fleet.length);
});

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port);
}

interface Polled {
  id: string;
  serviceCode: string;
}

/** Waits for the agent's next command. `held` is the id of the command that still runs. */
function nextCommand(call: RemoteAgent["call"], held = ""): Promise<Polled> {
  return until("a command arrives", async () => {
    const { body } = await call("GET", `/commands?wait=5&limit=1&held=${held}`);
    return body.data.commands[0] as Polled | undefined;
  });
}

async function succeed(call: RemoteAgent["call"], { id }: Polled): Promise<void> {
  const { status } = await call("POST", `/commands/${id}/result`, { success: true });
  expect(status).toBe(200);
}
