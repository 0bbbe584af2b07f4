// Prepares run only for actions that declare one, and no longer than --timeout.

import { expect, test } from "vitest";
import { reportOf } from "../../../src/agent/services/service-report.ts";
import { actionOf } from "../../../src/agent/sidecar/actions/actions.ts";
import { failing, openWorld } from "../world.ts";

const levels = {
  type: "object",
  properties: { level: { type: "string", default: "info" }, keep: { type: "integer" } },
};

/** Adds a service whose agent never calls the server. */
async function openSilent() {
  const world = await openWorld();
  await world.registerAgent("silent", [
    {
      ...{ code: "mute", name: "Mute", version: "1", healthStatus: "UP" },
      actions: [
        { name: "slow", timeoutSeconds: 60 },
        { name: "plain", prepare: false, inputSchema: levels },
      ],
    },
  ]);
  return world;
}

test("a prepare that hangs exits with 8 after --timeout, and nothing runs", async () => {
  const world = await openSilent();
  const ran = await world.run("--server", ["actions", "run", "mute", "slow", "--timeout", "1s"]);
  expect(ran).toMatchObject(failing(8, "silent has not prepared slow within 1s; nothing was run."));
  const { pagination } = await world.as("owner").page("commands.list");
  expect(pagination.total).toBe(0);
});

test("an action with nothing to prepare is not prepared", async () => {
  const world = await openSilent();
  const words = ["actions", "run", "mute", "plain", "--set", "keep=3", "--detach", "-o", "json"];
  const ran = await world.run("--server", words);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  const { id } = JSON.parse(ran.stdout);
  const command = await world.as("owner").call("commands.get", { params: { commandId: id } });
  expect(command).toMatchObject({ payload: { level: "info", keep: 3 }, prepareCommandId: null });

  const prepared = await world.run("--server", "actions prepare mute plain -o json".split(" "));
  expect(JSON.parse(prepared.stdout)).toMatchObject({
    action: { name: "plain", prepare: false },
    inputSchema: levels,
    initialPayload: { level: "info" },
    currentState: null,
    command: null,
  });
  const query = { type: "ACTION_PREPARE" } as const;
  const { pagination } = await world.as("owner").page("commands.list", { query });
  expect(pagination.total).toBe(0);
});

test("library and sidecar declare which actions have no prepare", async () => {
  const place = {} as Parameters<typeof actionOf>[1];
  const handler = { exec: { command: ["true"] } };
  const base = { execute: handler } as Parameters<typeof actionOf>[0];
  const actions = [
    actionOf({ ...base, name: "plain" }, place, () => undefined),
    actionOf({ ...base, name: "formed", prepare: handler } as typeof base, place, () => undefined),
  ];
  const service = { code: "a", name: "A", version: "1", actions };
  const { signal } = new AbortController();
  expect((await reportOf(service, signal)).actions).toEqual([
    { name: "plain", prepare: false },
    { name: "formed" },
  ]);
});
