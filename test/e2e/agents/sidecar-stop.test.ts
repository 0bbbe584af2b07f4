// Tests what a sidecar logs while it runs, and what remains of its programs when it stops.
// test/agent/sidecar/actions tests the outcome of each kind of action.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listenTestApp } from "../../helpers/http/http.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import { until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });

/**
 * A long-running script that ignores SIGTERM, and writes its process id and that of its child to
 * the file.
 */
const stays = (file: string) =>
  sh(`trap '' TERM; sleep 41 & printf '%s\\n' $$ $! >>${file}; wait; wait`);

const service = {
  code: "box",
  version: "1",
  actions: [
    { name: "stay", execute: stays("action"), prepare: stays("form") },
    { name: "ok", execute: sh("echo fine") },
  ],
};

test("a sidecar names the services that belong to another agent; SIGTERM ends all its programs, reports the actions as stopped, and the next start runs actions again", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  await server.registerAgent("other", [{ code: "taken", name: "Taken", version: "1" }]);
  const services = [service, { code: "taken", version: "1" }];
  const file = await agentFile(server, operator, { services, stopGrace: 0.2 });
  const first = startSidecar(file);
  expect(await first.said("is running")).toBe("the agent is running; the server refuses taken");
  const { data } = await operator.page("services.list", { query: { q: "box" } });
  const serviceId = data[0]!.id;
  const run = async (actionName: string) => {
    const params = { serviceId, actionName };
    const { command } = await operator.call("actions.execute", { params, body: {} });
    const found = { params: { commandId: command!.id }, query: { wait: 20 } };
    return operator.call("commands.get", found);
  };
  const staying = run("stay");
  const preparing = operator
    .call("actions.prepare", { params: { serviceId, actionName: "stay" } })
    .catch((error: unknown) => error);
  const files = ["action", "form"].map((name) => pidsIn(join(dirname(file), name)));
  const pids = (await Promise.all(files)).flat();
  expect(pids.every(isAlive)).toBe(true);
  first.signal("SIGTERM");
  expect(await first.ended).toMatchObject({ status: 0 });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await staying).toMatchObject({ status: "FAILED", errorCode: "AGENT_STOPPED" });
  expect(await preparing).toMatchObject({
    code: "ACTION_PREPARE_FAILED",
    message: expect.stringContaining("The agent stopped"),
  });

  await startSidecar(file).said("the agent is running");
  expect(await run("ok")).toMatchObject({ status: "SUCCEEDED", result: { output: "fine" } });
});

/** Waits until a program and its child run, and returns their process ids. */
function pidsIn(file: string): Promise<number[]> {
  return until(`the program of ${file}`, () => {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return lines.length === 2 && lines.map(Number);
  });
}
