// Tests that `platform agent run` rereads its file on SIGHUP, and uses it only if it is valid; that
// it names the services that belong to another agent; and what remains of its programs when it
// stops. test/agent/sidecar/actions tests the outcome of each kind of action.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { ca } from "../../helpers/http/https.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import { until } from "../../helpers/process/process.ts";
import { startSidecar } from "../../helpers/process/sidecar.ts";
import { openTerminal } from "../../helpers/process/terminal.ts";

const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });

/**
 * A long-running script that ignores SIGTERM, and writes its process id and that of its child to
 * the file.
 */
const stays = (file: string) =>
  sh(`trap '' TERM; sleep 3000 & printf '%s\\n' $$ $! >>${file}; wait; wait`);

const box = {
  code: "box",
  version: "1",
  actions: [{ name: "stay", execute: stays("action"), prepare: stays("form") }],
};

/** Starts a server, and writes an agent.yaml with which an agent can register. */
async function openHost() {
  const server = await listenTestApp();
  const client = server.as("operator");
  await server.registerAgent("other", [{ code: "taken", name: "Taken", version: "1" }]);
  const { token } = await client.call("registration-tokens.create", { body: {} });
  const file = join(temporaryFolder(), "agent.yaml");
  const write = (...codes: string[]) => {
    const others = [...codes, "taken"].map((code) => ({ code, version: "1" }));
    const agent = { code: "edge", labels: { first: codes[0] ?? "" } };
    const config = { server: server.url, registrationToken: token, agent, stateDir: "state" };
    const all = { ...config, stopGrace: 0.2, services: [...others, box] };
    writeFileSync(file, stringify(all), { mode: 0o600 });
  };
  write("one", "two");
  return { client, file, write };
}

test("SIGHUP rereads the file, also before the agent is running; an invalid file changes nothing; SIGTERM ends all programs, and reports the actions as stopped", async () => {
  const { client, file, write } = await openHost();
  const caFile = join(dirname(file), "ca.pem");
  writeFileSync(file, `caFile: ca.pem\n${readFileSync(file, "utf8")}`);
  // The agent waits until something is written to the pipe.
  execFileSync("mkfifo", [caFile]);
  const sidecar = startSidecar(file);
  // Waits until the agent, which has read its file, opens the pipe.
  const pipe = await open(caFile, "w");
  write("three", "two");
  rmSync(caFile);
  sidecar.signal("SIGHUP");
  await pipe.writeFile(ca);
  await pipe.close();
  expect(await sidecar.said(`${file} is in use`)).toContain(
    "added services three; removed services one",
  );
  expect(await sidecar.said("the agent is running")).toBe(
    "the agent is running; the server refuses taken",
  );

  writeFileSync(file, "server: 5\nagent: {}\nservises: []\n", { mode: 0o600 });
  sidecar.signal("SIGHUP");
  await sidecar.said("is not used: the agent keeps its current configuration");
  expect(sidecar.lines().map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`${file}:1: server: must be a URL`),
      expect.stringContaining(`${file}:3: servises: unknown field`),
    ]),
  );

  write("four", "two");
  sidecar.signal("SIGHUP");
  await sidecar.said(
    `${file} is in use: added services four; removed services three; changed agent.labels`,
  );
  const { data } = await until("the new service and label", async () => {
    const [services, agents] = [client.page("services.list"), client.page("agents.list")];
    const hasService = (await services).data.some(({ code }) => code === "four");
    const edge = (await agents).data.find(({ code }) => code === "edge");
    return hasService && edge?.labels?.first === "four" && services;
  });
  const own = data.filter(({ agentCode }) => agentCode === "edge");
  expect(own.map(({ code }) => code).sort()).toEqual(["box", "four", "three", "two"]);

  const serviceId = own.find(({ code }) => code === "box")!.id;
  const params = { serviceId, actionName: "stay" };
  const { command } = await client.call("actions.execute", { params, body: {} });
  const preparing = client.call("actions.prepare", { params }).catch((error: unknown) => error);
  const files = ["action", "form"].map((name) => pidsIn(join(dirname(file), name)));
  const pids = (await Promise.all(files)).flat();
  expect(pids.every(isAlive)).toBe(true);
  sidecar.signal("SIGTERM");
  expect(await sidecar.ended).toMatchObject({ status: 0 });
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  const stopped = await client.call("commands.get", { params: { commandId: command!.id } });
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

test("SIGHUP on a terminal ends the agent", async () => {
  const { file } = await openHost();
  const terminal = openTerminal(["agent", "run", "--config", file]);
  await terminal.shows("the agent is running");
  terminal.signal("SIGHUP");
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).not.toContain("SIGHUP");
});
