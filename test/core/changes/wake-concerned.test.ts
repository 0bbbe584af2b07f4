import { expect, test } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { noteChange } from "../../../src/core/changes/changes.ts";
import { agentKey, commandKey } from "../../../src/core/changes/doorbell.ts";
import { openScene } from "../scene.ts";

test("moved deadlines wake readers and agents with pending commands, but no idle agents", async () => {
  const { app, agent, execute, registerAgent } = await openScene();
  const { core } = app;
  const idle = await registerAgent("idle");
  const commandId = await execute();
  const wait = (key: string) => core.doorbell.register(key, presentCaller).wait(30_000);
  const waiting = [agentKey(agent.agentId), commandKey(commandId)].map(wait);
  const resting = core.doorbell.register(agentKey(idle.agentId), presentCaller);
  await core.db.write(async (tx) => {
    noteChange(core, tx, "deadlines");
    await tx.run("UPDATE commands SET expires_at = expires_at + 1");
  });
  expect(await Promise.all(waiting)).toEqual(["rung", "rung"]);
  expect(await resting.wait(0)).toBe("time");
});
