// A value that was secret in the source of a payload stays secret in the command made from it, even
// if the command's own service does not mark it as secret.

import { test as base, expect } from "vitest";
import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { runSchedules } from "../../../src/core/schedules/firing.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { everyRow } from "../../helpers/stored.ts";
import { openApprovals, storage, tidy } from "../approvals/scene.ts";
import { type Bus, openBus } from "../bus/scene.ts";
import { collector } from "../scene.ts";

const inputSchema = { type: "object", properties: { pin: { type: "string" } } };
const marked = { type: "object", properties: { pin: { type: "string", writeOnly: true } } };
const rotate = { name: "rotate", prepare: false } as const;

/** The collector and the archive declare the same action. The archive always marks `pin` secret. */
function report(scene: Bus, schema: JsonObject = inputSchema) {
  return scene.report([
    { ...collector, actions: [{ ...rotate, inputSchema: schema }] },
    { ...collector, code: "archive", actions: [{ ...rotate, inputSchema: marked }] },
  ]);
}

const test = base.extend("scene", async () => {
  const scene = await openBus();
  await report(scene);
  return scene;
});

const payload = { pin: "pin-of-ann" };
const secrets = { "/pin": payload.pin };
const both = { kind: "rollout", action: "rotate", services: [collector.code, "archive"] } as const;

async function run(scene: Bus, rolloutId: string): Promise<void> {
  while (await advanceRollout(scene.app.core, rolloutId));
}

async function rollOut(scene: Bus, services: string[] = [...both.services]): Promise<string> {
  const body = { action: "rotate", services, payload, maxParallel: 2 };
  const { id } = await scene.as("operator").call("rollouts.create", { body });
  await run(scene, id);
  return id;
}

async function scheduled(scene: Bus, target: object): Promise<void> {
  const body = { name: "rotate", everySeconds: 60, target } as never;
  const { id: scheduleId } = await scene.as("operator").call("schedules.create", { body });
  scene.clock.advance(60_000);
  await scene.beat();
  await runSchedules(scene.app.core);
  await scene.as("operator").call("schedules.delete", { params: { scheduleId } });
  for (const { id } of await scene.as("viewer").call("rollouts.list")) await run(scene, id);
}

async function endedWithMark(scene: Bus): Promise<string> {
  await report(scene, marked);
  const id = await scene.execute({ payload });
  await scene.cancel(id);
  await report(scene);
  return id;
}

type Make = (scene: Bus) => Promise<unknown>;

const sources: Record<string, Make> = {
  "a rollout": (scene) => rollOut(scene),
  "the retry of a rollout": async (scene) => {
    await report(scene, marked);
    const rolloutId = await rollOut(scene, [collector.code]);
    for (const commandId of await scene.poll()) {
      await scene.result(commandId, { success: false });
    }
    await run(scene, rolloutId);
    await report(scene);
    const operator = scene.as("operator");
    const body = { secrets };
    const { id } = await operator.call("rollouts.retry", { params: { rolloutId }, body });
    await run(scene, id);
  },
  "a retry": async (scene) => {
    const params = { commandId: await endedWithMark(scene) };
    await scene.as("operator").call("commands.retry", { params, body: { secrets } });
  },
  "a route": async (scene) => {
    const routeId = await scene.route({ payload: { pin: { const: payload.pin } } });
    await scene.publish();
    await scene.as("operator").call("bus-routes.delete", { params: { routeId } });
  },
  "a schedule of an action": (scene) =>
    scheduled(scene, { kind: "action", action: "rotate", service: collector.code, payload }),
  "a schedule of a rollout": (scene) =>
    scheduled(scene, { ...both, services: [collector.code], payload }),
  "a schedule of a rollout with a payload for one service": (scene) =>
    scheduled(scene, {
      ...both,
      services: [collector.code],
      payloadByService: { [collector.code]: payload },
    }),
};

test.for(Object.entries(sources))("%s", async ([_source, make], { scene }) => {
  await make(scene);
  const viewer = scene.as("viewer");
  const query = { serviceId: scene.serviceId };
  const [last] = await viewer.call("commands.list", { query });
  const params = { commandId: last!.id };
  expect(await viewer.call("commands.get", { params })).toMatchObject({
    payload: { pin: "[REDACTED]" },
    withheld: ["/pin"],
  });
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands.find(({ id }) => id === last!.id)).toMatchObject({ payload });
  for (const { id } of commands) await scene.result(id);
  for (const { id } of await viewer.call("rollouts.list")) await run(scene, id);
  expect(JSON.stringify(await everyRow(scene))).not.toContain(payload.pin);
});

test("an approved retry", async () => {
  const app = await openApprovals(null);
  const { client } = app.ann;
  const declare = (schema: JsonObject) =>
    app.report([{ ...storage, actions: [{ ...tidy, inputSchema: schema }] }]);
  await declare(marked);
  const { command } = await app.run(client, { payload }, "tidy");
  const params = { commandId: command!.id };
  await client.call("commands.cancel", { params });
  await declare(inputSchema);
  await app.addPolicy({ dangerLevel: undefined, action: "tidy" });
  const { approval } = await client.call("commands.retry", { params, body: { secrets } });
  const shown = { payload: { pin: "[REDACTED]" } };
  expect(await app.detail(approval!.id)).toMatchObject({ content: shown, withheld: ["/pin"] });
  const { commandId } = await app.approve(approval!.id, app.ben.client);
  const made = { params: { commandId: commandId! } };
  expect(await app.as("viewer").call("commands.get", made)).toMatchObject(shown);
  await client.call("commands.cancel", made);
  expect(JSON.stringify(await everyRow(app))).not.toContain(payload.pin);
});
