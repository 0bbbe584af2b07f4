// A poll that waits gets a new command in the transaction that creates it.
// (docs/decisions/0006-command-delivery.md)

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { noBasis, requirePermit } from "../../../src/core/approvals/permits.ts";
import { createCommand, type NewCommand } from "../../../src/core/commands/commands.ts";
import { pollCommands } from "../../../src/core/commands/delivery.ts";
import { type Ctx, systemContext } from "../../../src/core/context.ts";
import { findTarget } from "../../../src/core/presence/action-targets.ts";
import type { Tx } from "../../../src/store/database.ts";
import { startOfTime } from "../../helpers/app.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { changedTx } from "../../helpers/wrapped-writes.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused } from "../refusals.ts";
import { type Polling, type Scene, test } from "../scene.ts";

/** Starts a poll, and returns once it is waiting. `answer` resolves to the ids of its commands. */
async function holdPoll(scene: Scene, query: Polling = { wait: 20 }) {
  const { polls } = scene.app.core;
  const answer = scene.poll(query);
  answer.catch(() => undefined);
  while (polls.waiting(scene.agent.agentId) === null) await nextTurn();
  return { answer };
}

const commits = ({ database }: Scene) => database.storage().commits;

/** Creates commands as use cases do. Returns their ids in the order of their creation. */
async function createIn(scene: Scene, tx: Tx, count = 1): Promise<string[]> {
  const ids: string[] = [];
  const ctx: Ctx = systemContext(scene.app.core);
  for (let index = 0; index < count; index++)
    ids.push((await createCommand(ctx, tx, await wanted(scene, tx))).id);
  return ids;
}

async function wanted({ agent, serviceId }: Scene, tx: Tx): Promise<NewCommand> {
  const target = await findTarget(tx, serviceId, "rotate");
  return {
    type: "ACTION_EXECUTE",
    permit: await requirePermit(tx, target, noBasis, ""),
    agentId: agent.agentId,
    agentCode: "edge-1",
    serviceId,
    serviceCode: "log-collector",
    action: "rotate",
    reason: null,
    source: { kind: "operator", id: null, name: null, routeId: null },
    prepareCommandId: null,
    retryOf: null,
    timeoutSeconds: 60,
    ttlSeconds: 300,
    payload: {},
    schema: {},
  };
}

onBothEngines(() => {
  test("creating and delivering a command is one commit", async ({ scene }) => {
    const { answer } = await holdPoll(scene);
    const before = commits(scene);
    const id = await scene.execute();
    expect(await answer).toEqual([id]);
    expect(commits(scene)).toBe(before + 1);
    expect(await scene.get(id)).toMatchObject({
      status: "RUNNING",
      deliveries: 1,
      startedAt: new Date(startOfTime).toISOString(),
      expiresAt: new Date(startOfTime + 60_000).toISOString(),
    });
    expect(await scene.auditOf(id)).toEqual(["command.created", "command.dispatched"]);
    const [dispatched, created] = await scene.trail({ targetId: id });
    expect(dispatched).toMatchObject({ actorType: "AGENT", actorId: scene.agent.agentId });
    expect(created).toMatchObject({ actorType: "API_KEY" });
  });
});

test("the response to the creator shows the command as it was created", async ({ scene }) => {
  await holdPoll(scene);
  const { command } = await scene.as("operator").call("actions.execute", {
    params: { serviceId: scene.serviceId, actionName: "rotate" },
    body: {},
  });
  expect(command).toMatchObject({ status: "PENDING" });
});

test("a poll gets all commands of a transaction, up to its limit, oldest first", async ({
  scene,
}) => {
  const { answer } = await holdPoll(scene, { wait: 20, limit: 2 });
  const ids = await scene.database.write((tx) => createIn(scene, tx, 3));
  expect(await answer).toEqual(ids.slice(0, 2));
  expect(await scene.get(ids[2]!)).toMatchObject({ status: "PENDING" });
  expect(await scene.poll({ wait: 20 })).toEqual(ids.slice(2));
});

test("an agent that holds as many commands as it can gets none", async ({ scene }) => {
  const held = Array.from({ length: 100 }, (_, index) => `cmd_${index}`).join();
  const { answer } = await holdPoll(scene, { wait: 1, held });
  const id = await scene.execute();
  scene.clock.advance(1200);
  expect(await answer).toEqual([]);
  expect(await scene.get(id)).toMatchObject({ status: "PENDING", deliveries: 0 });
});

test("an agent with a running command gets the next one, and not the first one again", async ({
  scene,
}) => {
  const running = await scene.execute();
  expect(await scene.poll()).toEqual([running]);
  const { answer } = await holdPoll(scene, { wait: 20, held: running });
  const id = await scene.execute();
  expect(await answer).toEqual([id]);
  expect(await scene.get(running)).toMatchObject({ deliveries: 1 });
});

onBothEngines(() => {
  test("if the creation fails, the poll waits for the next command", async ({ scene }) => {
    const { answer } = await holdPoll(scene);
    const failed = scene.database.write(async (tx) => {
      await createIn(scene, tx);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    const id = await scene.execute();
    expect(await answer).toEqual([id]);
    expect(await scene.count("commands")).toBe(1);
  });

  test("a write that runs again because of another one claims its command once", async ({
    scene,
  }) => {
    const { answer } = await holdPoll(scene);
    const { database } = scene;
    const creating = database.write((tx) => createIn(scene, tx));
    const failing = database.write(async (tx) => {
      await createIn(scene, tx);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    const ids = await creating;
    expect(await answer).toEqual(ids);
    expect(await scene.get(ids[0]!)).toMatchObject({ deliveries: 1 });
  });

  test("a token that is revoked in the same transaction gets nothing", async ({ scene }) => {
    const { answer } = await holdPoll(scene);
    const [id] = await scene.database.write(async (tx) => {
      await tx.run("UPDATE agent_tokens SET revoked_at = ?", tx.now);
      return createIn(scene, tx);
    });
    await expectRefused(answer, "UNAUTHORIZED");
    expect(await scene.get(id!)).toMatchObject({ status: "PENDING", deliveries: 0 });
  });
});

test("a caller that leaves before its command is claimed gets none", async ({ scene }) => {
  const { core } = scene.app;
  const { caller, leave } = leavingCaller();
  const agent = scene.agent.principal;
  const ctx = { ...systemContext(core), principal: agent, caller };
  const polling = pollCommands(ctx, agent, { wait: 20, limit: 10 });
  while (core.polls.waiting(agent.agentId) === null) await nextTurn();
  const creating = scene.database.write((tx) => createIn(scene, tx));
  leave();
  const [id] = await creating;
  expect(await polling).toEqual({ commands: [], cancelled: [] });
  expect(await scene.get(id!)).toMatchObject({ status: "PENDING" });
});

test("a poll that is replaced during the commit delivers its command", async ({ scene }) => {
  const { answer } = await holdPoll(scene);
  let second: Promise<string[]> | undefined;
  const [id] = await scene.database.write(async (tx) => {
    const ids = await createIn(scene, tx);
    second = scene.poll({ wait: 1 });
    return ids;
  });
  expect(await answer).toEqual([id]);
  await expect.poll(() => scene.app.core.doorbell.size).toBe(1);
  scene.clock.advance(1200);
  expect(await second).toEqual([]);
  expect(await scene.get(id!)).toMatchObject({ deliveries: 1 });
});

onBothEngines(() => {
  test("a poll that ends while its token is looked up does not claim the command", async ({
    scene,
  }) => {
    const { answer } = await holdPoll(scene);
    const [id] = await scene.database.write((tx) => {
      const all: Tx["all"] = (sql, ...params) => {
        if (sql.includes("FROM agent_tokens t JOIN agents")) scene.clock.advance(20_200);
        return tx.all(sql, ...params);
      };
      return createIn(scene, changedTx(tx, { all }));
    });
    expect(await answer).toEqual([]);
    expect(await scene.get(id!)).toMatchObject({ status: "PENDING" });
  });

  test("if nobody can tell whether the commit is durable, the poll looks again", async ({
    scene,
  }) => {
    const { answer } = await holdPoll(scene, { wait: 20, held: "" });
    const [id] = await scene.database.write((tx) =>
      createIn(scene, changedTx(tx, { afterCommit: () => undefined })),
    );
    expect(await scene.get(id!)).toMatchObject({ status: "RUNNING" });
    // After such a commit, nothing in memory is trusted, as after a change by another process.
    await scene.elsewhere("UPDATE agents SET name = 'renamed'");
    // The command was lost on the way, so it is delivered again.
    expect(await answer).toEqual([id]);
    expect(await scene.get(id!)).toMatchObject({ deliveries: 2 });
  });
});
