// The file of one host copied to another, with real processes: the first sidecar keeps its services, the
// second says at once that it is refused and goes on trying, and takes over when the first is dead.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { logLines, type Program, startProgram, until } from "../../helpers/process/process.ts";

const web = { code: "web", version: "1.0.0" };

interface Host {
  folder: string;
  sidecar: Program;
}

async function startHost(server: ListeningApp, code: string): Promise<Host> {
  const folder = temporaryFolder();
  const file = join(folder, "agent.yaml");
  const config = { server: server.url, agent: { code }, stateDir: "state", services: [web] };
  writeFileSync(file, stringify(config));
  const { token } = await server.as("operator").call("registration-tokens.create", { body: {} });
  const env = { PLATFORM_REGISTRATION_TOKEN: token };
  return { folder, sidecar: startProgram("platform", ["agent", "run", "--config", file], { env }) };
}

async function owner(server: ListeningApp): Promise<string | undefined> {
  const { data } = await server.as("viewer").page("services.list");
  return data[0]?.agentCode;
}

function owned(server: ListeningApp, code: string) {
  return until(`the service is ${code}'s`, async () => (await owner(server)) === code);
}

async function trail(server: ListeningApp, action: string) {
  const query = { action, pageSize: 200 };
  return (await server.as("viewer").page("audit-events.list", { query })).data.reverse();
}

/** The line of this type that the sidecar has logged, now or soon. */
function said({ sidecar }: Host, type: string) {
  return until(type, () => logLines(sidecar.stderr()).find((line) => line.type === type));
}

test("the first keeps its services through 100 reports; killed, the second takes over", async () => {
  // Reports come every second; time itself passes only where the test says so.
  const server = await listenTestApp({ SERVICE_STALE_THRESHOLD_SECONDS: "4" });
  const first = await startHost(server, "edge-1");
  await owned(server, "edge-1");

  const second = await startHost(server, "edge-2");
  const refused = await said(second, "service.refused");
  expect(refused).toMatchObject({ serviceCode: "web", agentCode: "edge-1" });
  expect(refused.msg).toContain("platformctl services move web --to edge-2");
  const atWork = await until("it is running", () =>
    logLines(second.sidecar.stderr()).find(({ msg }) => /is running/.test(String(msg))),
  );
  expect(atWork.msg).toBe("the agent is running; the server refuses web");

  const { agentToken } = JSON.parse(readFileSync(join(second.folder, "state/token.json"), "utf8"));
  const body = { services: [{ ...web, name: "web" }] };
  for (let count = 0; count < 100; count++) {
    const { body: reply } = await server.request("POST", "/api/agents/services", {
      bearer: agentToken,
      body,
    });
    expect(reply.data).toEqual({
      services: [],
      rejected: [{ code: "web", reason: "SERVICE_CODE_TAKEN", agentCode: "edge-1" }],
    });
  }
  expect(await owner(server)).toBe("edge-1");
  await writeAuditSums(server.app.core, true);
  const claims = await trail(server, "service.claim.refused");
  expect(claims[0]).toMatchObject({ actorName: "edge-2", result: "DENIED" });
  const sums = claims.slice(1).map(({ metadata }) => metadata.summed as { count: number });
  expect(sums.reduce((all, { count }) => all + count, 0)).toBeGreaterThanOrEqual(100);
  expect(
    logLines(second.sidecar.stderr()).filter(({ type }) => type === "service.refused"),
  ).toHaveLength(1);

  first.sidecar.signal("SIGKILL");
  await first.sidecar.ended;
  server.clock.advance(90_001);
  await owned(server, "edge-2");
  await said(second, "service.accepted");
  expect(await trail(server, "service.moved")).toMatchObject([
    { actorName: "edge-2", metadata: { from: "edge-1", to: "edge-2", reason: "SILENT" } },
  ]);
});

test("with the same code too, the second does not start, and says what to do", async () => {
  const server = await listenTestApp();
  await startHost(server, "edge-1");
  await owned(server, "edge-1");
  const { status, stderr } = await (await startHost(server, "edge-1")).sidecar.ended;
  expect(status).toBe(4);
  expect(stderr).toContain("An agent with the code edge-1 is registered and online");
  expect(stderr).toContain("platformctl tokens create --agent edge-1 --replace");
});
