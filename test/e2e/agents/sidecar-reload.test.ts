// Tests that `platform agent run` rereads its file on SIGHUP, and uses it only if it is valid.

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { ca } from "../../helpers/http/https.ts";
import { until } from "../../helpers/process/process.ts";
import { startSidecar } from "../../helpers/process/sidecar.ts";
import { openTerminal } from "../../helpers/process/terminal.ts";

/** Starts a server, and writes an agent.yaml with which an agent can register. */
async function openHost() {
  const server = await listenTestApp();
  const client = server.as("operator");
  const { token } = await client.call("registration-tokens.create", { body: {} });
  const file = join(temporaryFolder(), "agent.yaml");
  const write = (...codes: string[]) => {
    const services = codes.map((code) => ({ code, version: "1" }));
    const agent = { code: "edge", labels: { first: codes[0] ?? "" } };
    const config = { server: server.url, registrationToken: token, agent, stateDir: "state" };
    writeFileSync(file, stringify({ ...config, services }), { mode: 0o600 });
  };
  write("one", "two");
  return { client, file, write };
}

test("SIGHUP rereads the file, also before the agent is running; an invalid file changes nothing; SIGINT ends the agent", async () => {
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
  await sidecar.said("the agent is running");

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
    return hasService && (await agents).data[0]?.labels?.first === "four" && services;
  });
  expect(data.map(({ code }) => code).sort()).toEqual(["four", "three", "two"]);
  sidecar.signal("SIGINT");
  expect(await sidecar.ended).toMatchObject({ status: 0 });
});

test("SIGHUP on a terminal ends the agent", async () => {
  const { file } = await openHost();
  const terminal = openTerminal(["agent", "run", "--config", file]);
  await terminal.shows("the agent is running");
  terminal.signal("SIGHUP");
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).not.toContain("SIGHUP");
});
