// When commands reach their agent, when they are delivered again, and when they are not delivered.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { pollCommands } from "../../../src/core/commands/delivery.ts";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { systemContext } from "../../../src/core/context.ts";
import { startOfTime } from "../../helpers/app.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene, test } from "../scene.ts";

const seconds = (count: number) => new Date(startOfTime + count * 1000).toISOString();

/** Starts a poll, and returns once it is waiting because there is no command. */
async function holdPoll(scene: Scene, query: { wait: number; held?: string } = { wait: 20 }) {
  const before = scene.app.core.doorbell.size;
  const answer = scene.poll(query);
  // A test may await the response later.
  answer.catch(() => undefined);
  await nextTurn();
  expect(scene.app.core.doorbell.size).toBe(before + 1);
  return { answer };
}

async function startPrepare({ as, serviceId }: Scene) {
  const operator = as("operator");
  const answer = operator.call("actions.prepare", { params: { serviceId, actionName: "form" } });
  answer.catch(() => undefined);
  const query = { type: "ACTION_PREPARE", status: "PENDING" } as const;
  while ((await operator.page("commands.list", { query })).data.length === 0) await nextTurn();
  return { answer };
}

test("a poll returns pending commands, oldest first, 10 by default", async ({ scene }) => {
  const ids = (await scene.executeMany(14)).sort();
  expect(await scene.poll({ wait: 20, limit: 3 })).toEqual(ids.slice(0, 3));
  expect(await scene.poll({ wait: 20 })).toEqual(ids.slice(3, 13));
  expect(await scene.poll({ wait: 0 })).toEqual(ids.slice(13));
  expect(await scene.poll({ wait: 0 })).toEqual([]);
});

test("a claimed command is RUNNING, and its timeout starts", async ({ scene }) => {
  const { clock, agent } = scene;
  const id = await scene.execute({ payload: { file: "a.log" }, reason: "between us" });
  expect(await scene.get(id)).toMatchObject({ status: "PENDING", expiresAt: seconds(300) });
  clock.advance(10_000);
  const { commands } = await agent.client.call("agent.poll", { query: { wait: 0 } });
  // The agent does not get the reason.
  expect(commands).toEqual([
    {
      id,
      type: "ACTION_EXECUTE",
      serviceCode: "log-collector",
      action: "rotate",
      payload: { file: "a.log" },
      expiresAt: seconds(70),
    },
  ]);
  expect(await scene.get(id)).toMatchObject({
    status: "RUNNING",
    startedAt: seconds(10),
    expiresAt: seconds(70),
    deliveries: 1,
  });
  expect(await scene.auditOf(id)).toEqual(["command.created", "command.dispatched"]);
});

test("claiming a prepare does not change its deadline", async ({ scene }) => {
  const { answer } = await startPrepare(scene);
  scene.clock.advance(500);
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 20 } });
  expect(commands).toMatchObject([{ type: "ACTION_PREPARE", expiresAt: seconds(20) }]);
  await scene.result(commands[0]!.id, { success: true, output: { currentState: 1 } });
  expect(await answer).toMatchObject({ currentState: 1, command: { expiresAt: seconds(20) } });
});

test("the response is empty if there is no command in time", async ({ scene }) => {
  const { answer } = await holdPoll(scene, { wait: 1 });
  scene.clock.advance(1200);
  expect(await answer).toEqual([]);
});

test("a second poll from the same agent ends the first", async ({ scene }) => {
  const { answer: first } = await holdPoll(scene);
  const second = scene.poll({ wait: 20 });
  expect(await first).toEqual([]);
  const id = await scene.execute();
  expect(await second).toEqual([id]);
});

test("polls from other agents are not affected", async ({ scene }) => {
  const other = await scene.registerAgent("edge-2");
  const { answer } = await holdPoll(scene);
  const id = await scene.execute();
  expect(await scene.poll({ wait: 0 }, other)).toEqual([]);
  expect(await answer).toEqual([id]);
});

test("PENDING commands that have expired are not delivered, and hide no later ones", async () => {
  const scene = await openScene({ COMMAND_TTL_SECONDS: "10" });
  const [early = ""] = await scene.executeMany(2);
  scene.clock.advance(1);
  const late = await scene.execute();
  scene.clock.advance(9999);
  expect(await scene.poll({ wait: 0, limit: 2 })).toEqual([late]);
  expect(await expireCommands(scene.app.core)).toBe(2);
  expect(await scene.get(early)).toMatchObject({ status: "FAILED", errorCode: "COMMAND_EXPIRED" });
  expect(await scene.auditOf(early)).toEqual(["command.created", "command.expired"]);
});

test("a RUNNING command times out; a prepare has its own error code", async ({ scene }) => {
  const { clock, app } = scene;
  const id = await scene.execute();
  await scene.poll();
  clock.advance(59_999);
  expect(await expireCommands(app.core)).toBe(0);
  clock.advance(1);
  expect(await expireCommands(app.core)).toBe(1);
  expect(await scene.get(id)).toMatchObject({ status: "FAILED", errorCode: "COMMAND_TIMED_OUT" });
  expect(await expireCommands(app.core)).toBe(0);
  expect((await scene.auditOf(id)).slice(-1)).toEqual(["command.expired"]);

  await scene.beat();
  const { answer } = await startPrepare(scene);
  const [prepare = ""] = await scene.poll({ wait: 20 });
  clock.advance(20_000);
  expect(await expireCommands(app.core)).toBe(1);
  await expectRefused(answer, "ACTION_PREPARE_TIMEOUT");
  expect(await scene.get(prepare)).toMatchObject({ errorCode: "ACTION_PREPARE_TIMEOUT" });
});

test("a command is delivered again only if it is not in `held`", async ({ scene }) => {
  const id = await scene.execute();
  expect(await scene.poll({ wait: 0 })).toEqual([id]);
  expect(await scene.poll({ wait: 0 })).toEqual([]);
  expect(await scene.poll({ wait: 0, held: id })).toEqual([]);
  expect(await scene.poll({ wait: 0, held: `cmd_other,${id}` })).toEqual([]);
  for (const deliveries of [2, 3, 4]) {
    expect(await scene.poll({ wait: 0, held: "" })).toEqual([id]);
    expect(await scene.get(id)).toMatchObject({ status: "RUNNING", deliveries });
  }
  // A command is delivered at most three more times.
  expect(await scene.poll({ wait: 0, held: "" })).toEqual([]);
  expect(await scene.get(id)).toMatchObject({ deliveries: 4, expiresAt: seconds(60) });
  expect(await scene.auditOf(id)).toEqual([
    "command.created",
    "command.dispatched",
    "command.redelivered",
    "command.redelivered",
    "command.redelivered",
  ]);
});

test.for<[title: string, end: (scene: Scene, id: string) => unknown]>([
  ["succeeded", (scene, id) => scene.result(id)],
  ["was cancelled", (scene, id) => scene.cancel(id)],
  ["is past its deadline", (scene) => scene.clock.advance(60_000)],
])("a command that %s is not delivered again", async ([_title, end], { scene }) => {
  const id = await scene.execute();
  await scene.poll();
  await end(scene, id);
  expect(await scene.poll({ wait: 0, held: "" })).toEqual([]);
});

test("a long poll with `held` returns lost commands and new ones", async ({ scene }) => {
  const [lost = "", kept = ""] = await scene.executeMany(2);
  await scene.poll();
  const { answer } = await holdPoll(scene, { wait: 20, held: `${lost},${kept}` });
  const id = await scene.execute();
  expect(await answer).toEqual([id]);
  expect(await scene.poll({ wait: 20, held: `${kept},${id}` })).toEqual([lost]);
});

test("a caller that has left claims no commands", async ({ scene }) => {
  const id = await scene.execute();
  const caller = { ...presentCaller, gone: true };
  const ctx = { ...systemContext(scene.app.core), principal: scene.agent.principal, caller };
  const query = { wait: 20, limit: 10, held: [] };
  expect(await pollCommands(ctx, scene.agent.principal, query)).toEqual({
    commands: [],
    cancelled: [],
  });
  expect(await scene.get(id)).toMatchObject({ status: "PENDING", deliveries: 0 });
  expect(await scene.poll()).toEqual([id]);
});

test("a caller that leaves frees its place", async ({ scene }) => {
  const { caller, leave } = leavingCaller();
  const ctx = { ...systemContext(scene.app.core), principal: scene.agent.principal, caller };
  const held = pollCommands(ctx, scene.agent.principal, { wait: 20, limit: 10 });
  await nextTurn();
  leave();
  expect(await held).toEqual({ commands: [], cancelled: [] });
  expect(scene.app.core.doorbell.size).toBe(0);
});

const refusals: [how: string, code: string, refuse: (scene: Scene) => unknown][] = [
  ["its token is revoked", "UNAUTHORIZED", (scene) => scene.change("revoke-token")],
  ["it is disabled", "AGENT_DISABLED", (scene) => scene.change("disable")],
  ["it registers again", "UNAUTHORIZED", (scene) => scene.registerAgent("edge-1")],
  [
    "another process revokes its token",
    "UNAUTHORIZED",
    (scene) => scene.elsewhere("UPDATE agent_tokens SET revoked_at = 1"),
  ],
  [
    "another process disables it",
    "AGENT_DISABLED",
    (scene) => scene.elsewhere("UPDATE agents SET status = 'DISABLED'"),
  ],
];

test.for(refusals)("a long poll ends when %s: %s", async ([_how, code, refuse], { scene }) => {
  const { answer } = await holdPoll(scene);
  await refuse(scene);
  await expectRefused(answer, code);
});

test.for(refusals.slice(1, 3))(
  "no command is claimed when %s: %s",
  async ([_how, code, refuse], { scene }) => {
    const id = await scene.execute();
    await refuse(scene);
    await nextTurn();
    // The call was authenticated just before the refusal.
    await expectRefused(scene.poll({ wait: 0, held: "" }), code);
    expect(await scene.get(id)).toMatchObject({ status: "PENDING", deliveries: 0 });
  },
);

test("a command created by another process ends the poll", async ({ scene }) => {
  const done = await scene.execute();
  await scene.poll();
  await scene.result(done);
  const { answer } = await holdPoll(scene);
  const columns =
    "agent_id, service_id, service_code, action, payload, source_kind, timeout_seconds";
  await scene.elsewhere(
    `INSERT INTO commands (id, type, status, ${columns}, created_at, expires_at)
     SELECT 'cmd_01K00000000000000000000000', type, 'PENDING', ${columns}, created_at, expires_at
     FROM commands`,
  );
  expect(await answer).toEqual(["cmd_01K00000000000000000000000"]);
});

test("when the service stops, current and later polls end", async ({ scene }) => {
  const { answer } = await holdPoll(scene);
  scene.app.core.doorbell.close();
  expect(await answer).toEqual([]);
  expect(await scene.poll({ wait: 20 })).toEqual([]);
});

test("an agent has at most 100 commands at a time", async ({ scene }) => {
  await scene.executeMany(120);
  const got: string[] = [];
  for (let polls = 0; polls < 12; polls++) {
    got.push(...(await scene.poll({ wait: 0, limit: 10, held: got.join(",") })));
  }
  expect(got).toHaveLength(100);
});

onBothEngines(() => {
  test("a poll that is replaced while it claims commands gets none", async ({ scene }) => {
    const id = await scene.execute();
    const [first, second] = await Promise.all([scene.poll({ wait: 5 }), scene.poll({ wait: 5 })]);
    expect([first, second]).toEqual([[], [id]]);
    expect((await scene.get(id)).deliveries).toBe(1);
  });

  test("an agent that is disabled in the same event loop turn gets no command", async ({
    scene,
  }) => {
    const disabling = scene.change("disable");
    await expectRefused(scene.execute(), "AGENT_DISABLED");
    await disabling;
  });
});

test("calls admitted before the agent was disabled change nothing", async ({ scene }) => {
  const id = await scene.execute();
  await scene.poll({ wait: 0 });
  await scene.change("disable");
  const health = [{ serviceCode: collector.code, healthStatus: "DOWN" }];
  const late = [
    () => scene.result(id),
    () => scene.report([{ ...collector, version: "2.0.0" }]),
    () => scene.beat({ health }),
  ];
  for (const call of late) await expectRefused(call(), "AGENT_DISABLED");
  expect((await scene.get(id)).status).toBe("RUNNING");
  expect(await scene.service()).toMatchObject({ version: "1.0.0", healthStatus: "UP" });
});
