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
  sh(`trap '' TERM; sleep 3000 & printf '%s\\n' $$ $! >>${file}; wait; wait`);

const service = {
  code: "box",
  version: "1",
  actions: [{ name: "stay", execute: stays("action"), prepare: stays("form") }],
};

test("a sidecar names the services that belong to another agent; SIGTERM ends all its programs, and reports the actions as stopped", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  await server.registerAgent("other", [{ code: "taken", name: "Taken", version: "1" }]);
  const services = [service, { code: "taken", version: "1" }];
  const file = await agentFile(server, operator, { services, stopGrace: 0.2 });
  const sidecar = startSidecar(file);
  expect(await sidecar.said("is running")).toBe("the agent is running; the server refuses taken");
  const { data } = await operator.page("services.list", { query: { q: "box" } });
  const serviceId = data[0]!.id;
  const params = { serviceId, actionName: "stay" };
  const { command } = await operator.call("actions.execute", { params, body: {} });
  const preparing = operator.call("actions.prepare", { params }).catch((error: unknown) => error);
  const files = ["action", "form"].map((name) => pidsIn(join(dirname(file), name)));
  const pids = (await Promise.all(files)).flat();
  expect(pids.every(isAlive)).toBe(true);
  sidecar.signal("SIGTERM");
  expect(await sidecar.ended).toMatchObject({ status: 0 });
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  const stopped = await operator.call("commands.get", { params: { commandId: command!.id } });
  expect(stopped).toMatchObject({ status: "FAILED", errorCode: "AGENT_STOPPED" });
  expect(await preparing).toMatchObject({
    code: "ACTION_PREPARE_FAILED",
    message: expect.stringContaining("The agent stopped"),
  });
});

/** Waits until a program and its child run, and returns their process ids. */
function pidsIn(file: string): Promise<number[]> {
  return until(`the program of ${file}`, () => {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return lines.length === 2 && lines.map(Number);
  });
}
