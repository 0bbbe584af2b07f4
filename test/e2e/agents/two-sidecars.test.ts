// Tests hosts with the same agent file: with the same code, the second sidecar does not start; with
// another, it takes the services over when the first is killed.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

const web = { code: "web", version: "1.0.0" };

async function startHost(server: ListeningApp, code: string) {
  const file = await agentFile(server, server.as("operator"), { code, services: [web] });
  return { folder: dirname(file), sidecar: startSidecar(file) };
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

test("a sidecar with the same code does not start; the first sidecar keeps its services through 30 reports; once it is killed, the second takes over", async () => {
  // With this threshold, agents report every second.
  const server = await listenTestApp({ SERVICE_STALE_THRESHOLD_SECONDS: "4" });
  const first = await startHost(server, "edge-1");
  await owned(server, "edge-1");
  const { status, stderr } = await (await startHost(server, "edge-1")).sidecar.ended;
  expect(status).toBe(4);
  expect(stderr).toContain("An agent with the code edge-1 is registered and online");
  expect(stderr).toContain("platformctl tokens create --agent edge-1 --replace");

  const { folder, sidecar: second } = await startHost(server, "edge-2");
  const refused = await second.logged({ type: "service.refused" });
  expect(refused).toMatchObject({ serviceCode: "web", agentCode: "edge-1" });
  expect(refused.msg).toContain("platformctl services move web --to edge-2");
  expect(await second.said("is running")).toBe("the agent is running; the server refuses web");

  const { agentToken } = JSON.parse(readFileSync(join(folder, "state/token.json"), "utf8"));
  const body = { services: [{ ...web, name: "web" }] };
  for (let count = 0; count < 30; count++) {
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
  const [claim, ...summed] = await trail(server, "service.claim.refused");
  expect(claim).toMatchObject({ actorName: "edge-2", result: "DENIED" });
  const sums = summed.map(({ metadata }) => (metadata.summed as { count: number }).count);
  expect(sums.reduce((all, count) => all + count, 0)).toBeGreaterThanOrEqual(30);
  expect(second.lines().filter(({ type }) => type === "service.refused")).toHaveLength(1);

  await first.sidecar.kill();
  server.clock.advance(90_001);
  await owned(server, "edge-2");
  await second.logged({ type: "service.accepted" });
  expect(await trail(server, "service.moved")).toMatchObject([
    { actorName: "edge-2", metadata: { from: "edge-1", to: "edge-2", reason: "SILENT" } },
  ]);
});
