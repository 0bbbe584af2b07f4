// Switching the bus off changes nothing else.

import { expect, test } from "vitest";
import { watch } from "../../helpers/process/watcher.ts";
import { openScene } from "../scene.ts";

test("without events, a service is the same with the bus on and off", async () => {
  const [off, on] = await Promise.all(["false", "true"].map(told));
  expect(on).toEqual(off);
  expect(off?.told.length).toBeGreaterThan(8);
});

async function told(busEnabled: string) {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: busEnabled });
  const watcher = await watch(scene.app.core);
  const operator = scene.as("operator");
  const done = await scene.execute({ payload: { keep: 7 }, reason: "because" });
  await scene.poll();
  await scene.result(done, { success: false, error: { code: "FULL" } });
  const { command } = await operator.call("commands.retry", { params: { commandId: done } });
  await scene.cancel(command!.id);
  await scene.report([{ code: "log-collector", name: "L", version: "2", healthStatus: "DOWN" }]);
  await operator.call("maintenance.run");
  await operator.call("agents.disable", { params: scene.agent });
  await watcher.until("audit", ({ action }) => action === "agent.disabled");
  await watcher.until("agent", ({ status }) => status === "DISABLED");
  const commands = [await scene.get(done), await scene.get(command!.id)];
  expect(commands.map(({ source }) => source?.kind)).toEqual(["operator", "operator"]);
  const metrics = await scene.as("owner").call("metrics.get");
  const trail = await scene.trail({ pageSize: 200 });
  return masked({ told: watcher.of("audit"), commands, metrics, trail });
}

/**
 * Replaces each id by the number of its first occurrence, because two apps never have the same ids.
 */
function masked<T>(story: T): T {
  const ids: string[] = [];
  const text = JSON.stringify(story)
    .replaceAll(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id ${ids.indexOf(id)}`;
    })
    .replaceAll(/"hash":"[^"]*"|"durationMs":\d+/g, '"masked":0');
  return JSON.parse(text);
}
