// The main use cases, from end to end. Read this test first.

import { expect } from "vitest";
import { expectRefused } from "./refusals.ts";
import { test } from "./scene.ts";

const collector = {
  code: "log-collector",
  name: "Log collector",
  version: "1.0.0",
  healthStatus: "UP",
  actions: [{ name: "rotate-log", dangerLevel: "HIGH", inputSchema: { type: "object" } }],
};

test("an operator runs an action of an agent", async ({ app: { as, registerAgent } }) => {
  const operator = as("operator");
  const { client: agent } = await registerAgent("edge-1", [collector]);

  const services = await operator.page("services.list");
  expect(services.pagination).toEqual({ page: 1, pageSize: 20, total: 1 });
  const [service] = services.data;
  expect(service).toMatchObject({ code: "log-collector", status: "HEALTHY", agentCode: "edge-1" });

  const params = { serviceId: service!.id, actionName: "rotate-log" };
  const preparing = operator.call("actions.prepare", { params });
  const polled = await agent.call("agent.poll", { query: { wait: 5 } });
  expect(polled.commands).toMatchObject([{ type: "ACTION_PREPARE", action: "rotate-log" }]);
  await agent.call("agent.result", {
    params: { commandId: polled.commands[0]!.id },
    body: { success: true, output: { currentState: { files: ["a.log"] } } },
  });
  const prepared = await preparing;
  expect(prepared.currentState).toEqual({ files: ["a.log"] });
  expect(prepared.command!.status).toBe("SUCCEEDED");

  await expectRefused(
    operator.call("actions.execute", { params, body: {} }),
    "CONFIRMATION_REQUIRED",
  );
  const { command } = await operator.call("actions.execute", {
    params,
    body: {
      payload: { file: "a.log" },
      confirmation: true,
      prepareCommandId: prepared.command!.id,
    },
  });
  expect(command!.status).toBe("PENDING");
  const waiting = operator.call("commands.get", {
    params: { commandId: command!.id },
    query: { wait: 5 },
  });
  const delivered = await agent.call("agent.poll", { query: { wait: 5 } });
  expect(delivered.commands).toMatchObject([{ id: command!.id, payload: { file: "a.log" } }]);
  await agent.call("agent.result", {
    params: { commandId: command!.id },
    body: { success: false, error: { code: "FILE_GONE", message: "a.log is gone" } },
  });
  const ended = await waiting;
  expect(ended).toMatchObject({
    status: "FAILED",
    errorCode: "FILE_GONE",
    errorMessage: "a.log is gone",
  });

  const audit = await operator.page("audit-events.list");
  expect(audit.data.map((event) => event.action)).toEqual([
    "command.failed",
    "command.dispatched",
    "command.created",
    "command.completed",
    "command.dispatched",
    "action.prepare.requested",
    "service.reported",
    "agent.registered",
    "registration_token.consumed",
    "registration_token.created",
  ]);
});
