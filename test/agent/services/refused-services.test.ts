import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/index.ts";
import { createRefusedServices } from "../../../src/agent/services/refused-services.ts";
import type { RejectedService } from "../../../src/domain/fleet/service-claims.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { makeAgent, startAgent } from "../harness.ts";

const notes = { code: "notes", name: "Notes", version: "1.0.0" };
const own = { code: "own", name: "Own", version: "1.0.0" };

test("another agent's service is reported as refused once, cannot publish, and is reported again once accepted", async () => {
  const server = await listenTestApp({ CAPSULE_BUS_ENABLED: "true" });
  const owner = await server.registerAgent("edge-0", [notes]);
  const tested = await startAgent(server, [notes, own]);
  const { agent, events } = tested;
  const told = (type: AgentEvent["type"]) => events.filter((event) => event.type === type);
  await agent.reportNow();
  await agent.reportNow();
  expect(told("service.refused")).toMatchObject([
    { level: "error", serviceCode: "notes", reason: "SERVICE_CODE_TAKEN", agentCode: "edge-0" },
  ]);
  expect(told("service.refused")[0]!.message).toMatch(
    /If it was moved to that agent, remove it from this agent's .*services move notes --to edge-1/,
  );
  expect(told("reported").at(-1)).toMatchObject({ services: 1 });

  const refused = agent.publish({ type: "a.b", source: "notes" });
  await expect(refused).rejects.toMatchObject({ code: "CAPSULE_SOURCE_FORBIDDEN" });
  await agent.publish({ type: "a.b", source: "own" });
  const query = { action: "bus.event.*" };
  const { data } = await server.as("viewer").page("audit-events.list", { query });
  expect(data.map(({ action }) => action)).toEqual(["bus.event.received"]);

  await server.as("operator").call("agents.disable", { params: owner });
  await agent.reportNow();
  expect(told("service.accepted")).toMatchObject([{ level: "info", serviceCode: "notes" }]);
  await agent.publish({ type: "a.b", source: "notes" });
});

test("each change is emitted once, and services that are no longer reported are forgotten", () => {
  const told: string[] = [];
  const services = createRefusedServices("edge-1", (_level, _message, facts) => {
    if (facts.type === "service.refused") told.push(`refused ${facts.agentCode ?? facts.reason}`);
    else told.push(facts.type);
  });
  const taken = (agentCode: string): RejectedService => {
    return { code: "a", reason: "SERVICE_CODE_TAKEN", agentCode };
  };
  services.note([], [taken("edge-2")]);
  services.note([], [taken("edge-2")]);
  services.note([], [taken("edge-3")]);
  services.note([], [{ code: "a", reason: "SERVICE_LIMIT_REACHED", agentCode: null }]);
  services.note([], []);
  services.requireTaken("a");
  services.note([], [taken("edge-2")]);
  expect(() => services.requireTaken("a")).toThrow("Cannot publish events of a");
  services.note(["a"], []);
  services.requireTaken("a");
  expect(told).toEqual([
    "refused edge-2",
    "refused edge-3",
    "refused SERVICE_LIMIT_REACHED",
    "refused edge-2",
    "service.accepted",
  ]);
});

test.each([
  [
    "another agent has the code",
    {},
    /registered and online, .* tokens create --agent edge-1 --replace`/,
  ],
  [
    "the token is for other agents",
    { agentCode: "core-*" },
    /The registration token is for core-\*, .* tokens create --agent edge-1`/,
  ],
])(
  "if %s, the registration is refused with instructions, and the token is not spent",
  async (_why, body, says) => {
    const server = await listenTestApp();
    await server.registerAgent("edge-1");
    const operator = server.as("operator");
    const { token, id } = await operator.call("registration-tokens.create", { body });
    const { agent } = makeAgent({
      server: server.url,
      registrationToken: token,
      services: [notes],
    });
    await expect(agent.start()).rejects.toMatchObject({
      code: "REGISTRATION_REFUSED",
      message: expect.stringMatching(says),
    });
    const params = { tokenId: id };
    expect((await operator.call("registration-tokens.get", { params })).status).toBe("ACTIVE");
  },
);
