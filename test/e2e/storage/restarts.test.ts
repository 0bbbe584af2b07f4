// Tests that `--wait` and the `wait` commands survive restarts of the server.

import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { createKey, createToken } from "../../helpers/process/operator.ts";
import {
  callAs,
  registerAgent,
  send,
  startProgram,
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

test("waits survive several restarts, end when their condition is met or the server does not come back, and the action runs once", async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir });
  const { port } = new URL(server.url);
  const key = await createKey(server);
  const agent = await registerAgent(server.url, await createToken(server), "edge-1", [service]);
  const run = (timeout: string, ...words: string[]) =>
    startProgram("platformctl", [...words, "--timeout", timeout, "-o", "json"], {
      env: { PLATFORM_API_KEY: key, PLATFORM_URL: server.url },
    });
  const ran = run("120s", "actions", "run", "backup", "go", "--wait");
  const id = await until("the id is printed", () => /cmd_\w{26}/.exec(ran.stderr())?.[0]);
  const waiting = run("120s", "services", "wait", "later", "--debug");
  // Waiting for a named object begins with two calls.
  const answers = () => waiting.stderr().match(/ (200|404) /g)?.length ?? 0;
  await until("the command waits", () => answers() >= 3);
  const polled = await agent.call("GET", "/commands?wait=5");
  expect(polled.body.data.commands).toMatchObject([{ id }]);

  for (let restart = 1; restart <= restarts; restart++) {
    await (restart % 2 === 0 ? server.stop() : server.kill());
    if (restart === 1) {
      for (const wait of [ran, waiting]) {
        await until("the command notices the outage", () =>
          wait.stderr().includes("retrying until"),
        );
      }
    }
    server = await startServer({ dataDir, port: Number(port) });
  }

  const still = callAs(server.url, agent.agentToken);
  expect((await still("GET", `/commands?wait=0&held=${id}`)).body.data.commands).toEqual([]);
  await still("POST", `/commands/${id}/result`, { success: true, output: { files: 7 } });
  await registerAgent(server.url, await createToken(server), "edge-9", [
    { ...service, code: "later" },
  ]);
  const ended = await ran.ended;
  expect(JSON.parse(ended.stdout)).toMatchObject({ id, result: { output: { files: 7 } } });
  for (const { status, stderr } of [ended, await waiting.ended]) {
    expect(status).toBe(0);
    expect(stderr.split("retrying until")).toHaveLength(2);
  }

  const executions = "/api/admin/commands?type=ACTION_EXECUTE";
  const listed = await send(server.url, "GET", executions, { bearer: key });
  expect(listed.body.pagination.total).toBe(1);

  // A wait ends with an error if the server does not come back in time.
  const lost = run("3s", "agents", "wait", "edge-0", "--debug");
  await until("the command waits", () => lost.stderr().includes(" 200 "));
  await server.kill();
  expect(await lost.ended).toMatchObject({
    status: 6,
    stderr: expect.stringContaining("retrying until"),
  });
});
