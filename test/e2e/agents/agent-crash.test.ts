// Kills the agent during a command, and the server during many commands: every command ends, every
// action runs once, and no output is lost.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wireTo } from "../../agent/harness.ts";
import { textSoFar } from "../../agent/output-of.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { agentLibrary } from "../../helpers/process/installed.ts";
import { operatorOf } from "../../helpers/process/operator.ts";
import { startCommand, startServer, until } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";
import { isLong, size } from "../../helpers/size.ts";

/** On a busy machine, a server takes seconds to start. */
const timeout = 120_000;

async function scene(services: number) {
  const server = await startServer();
  // The agent reaches the server at the same URL after each restart.
  const place = { port: portOf(server) };
  const { url } = await wireTo(place);
  // The operator uses the database file, which also works while the server is down.
  const operator = await operatorOf(server);
  const folder = temporaryFolder();
  const file = join(folder, "runs.txt");
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const startAgent = async () => {
    const program = join(import.meta.dirname, "crash-agent.ts");
    const words = [program, url, join(folder, "state"), token, file, String(services)];
    const started = startCommand([process.execPath, ...words], { env: agentLibrary });
    await until("the agent has started", () => started.stdout().includes("started"));
    return started;
  };
  const agent = await startAgent();
  const { data } = await operator.page("services.list", { query: { pageSize: 100 } });
  const execute = async (number: number, payload = {}) => {
    const params = { serviceId: data[number % data.length]!.id, actionName: "work" };
    const input = { params, query: { queue: true }, body: { payload } };
    return (await operator.call("actions.execute", input)).command!.id;
  };
  /** The command id of each run, in order. */
  const runs = () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []);
  return { server, place, operator, agent, startAgent, execute, runs };
}

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port);
}

function outcomes(file: string) {
  return rowsIn<[status: string, errorCode: string | null, count: number]>(
    file,
    "SELECT status, error_code, COUNT(*) FROM commands GROUP BY 1, 2 ORDER BY 1, 2",
  );
}

const count = size(20, 1000);
/** The server is killed when these shares of the commands have run. */
const kills = isLong ? [0.25, 0.6] : [0.4];

test(`a command during which the agent is killed fails, and each of ${count} later commands runs exactly once and keeps its output although the server is killed`, async () => {
  const { server, place, operator, agent, startAgent, execute, runs } = await scene(8);
  const killed = await execute(0, { hang: true });
  const waiting = [await execute(0), await execute(0)];
  const statusOf = async (commandId: string) =>
    (await operator.call("commands.get", { params: { commandId } })).status;
  await until("the action runs", () => runs().includes(killed));
  for (const id of waiting) {
    await until("the command is running", async () => (await statusOf(id)) === "RUNNING");
  }
  await agent.kill();
  await startAgent();
  const ended = (commandId: string) =>
    operator.call("commands.get", { params: { commandId }, query: { wait: 30 } });
  // The new agent gets the waiting commands only after a time in which the killed one could have
  // called again.
  expect(await ended(killed)).toMatchObject({ status: "FAILED", errorCode: "AGENT_RESTARTED" });
  for (const id of waiting) expect(await ended(id)).toMatchObject({ status: "SUCCEEDED" });
  const before = [killed, ...waiting];
  expect(runs()).toEqual(before);

  const ids: string[] = [];
  let next = 0;
  const creator = async () => {
    while (next < count) ids.push(await execute(next++));
  };
  const created = Promise.all(Array.from({ length: 8 }, creator));
  let current = server;
  for (const [index, share] of kills.entries()) {
    const enough = count * share;
    await until(`${enough} runs`, () => runs().length >= before.length + enough, timeout);
    await current.kill();
    if (index < kills.length - 1) {
      current = await startServer({ dataDir: server.dataDir, port: place.port });
    }
  }
  // The last server is not killed, so it needs no process.
  place.port = portOf(await serveInProcess({ DATA_DIR: server.dataDir }));
  await created;
  const isOver = ([status]: [string, ...unknown[]]) => status !== "PENDING" && status !== "RUNNING";
  await until("all commands have ended", () => outcomes(server.file).every(isOver), timeout);
  expect(outcomes(server.file)).toEqual([
    ["FAILED", "AGENT_RESTARTED", 1],
    ["SUCCEEDED", null, count + waiting.length],
  ]);
  expect(runs().toSorted()).toEqual([...before, ...ids].toSorted());
  for (const commandId of ids) {
    await expect.poll(() => textSoFar(operator, commandId)).toBe(commandId);
  }
});
