// A read can wait until its command has ended. The first operator who reads the command gets the
// key that its agent has generated.

import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, vi } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { getCommand } from "../../../src/core/commands/commands.ts";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { systemContext } from "../../../src/core/context.ts";
import { AppError } from "../../../src/domain/errors.ts";
import type { SqlValue } from "../../../src/store/database.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { withKey } from "../access/people.ts";
import { interceptReads } from "../intercepted-reads.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectInvalid, expectRefused } from "../refusals.ts";
import { test as base, openScene, type Scene } from "../scene.ts";

const test = base.extend("running", () => openRunning());

async function hold(scene: Scene, commandId: string, wait = 60) {
  const viewer = await withKey(scene, await scene.apiKey("viewer"));
  const before = scene.app.core.doorbell.size;
  const reading = viewer.call("commands.get", { params: { commandId }, query: { wait } });
  reading.catch(() => undefined);
  await nextTurn();
  expect(scene.app.core.doorbell.size).toBe(before + 1);
  return { reading };
}

async function openRunning(): Promise<{ scene: Scene; id: string }> {
  const scene = await openScene();
  const id = await scene.execute();
  await scene.poll();
  return { scene, id };
}

const ends: [how: string, status: string, end: (scene: Scene, id: string) => unknown][] = [
  ["succeeds", "SUCCEEDED", (scene, id) => scene.result(id)],
  ["is cancelled", "CANCELLED", (scene, id) => scene.cancel(id)],
  [
    "times out",
    "FAILED",
    ({ clock, app }) => {
      clock.advance(30_000);
      return expireCommands(app.core);
    },
  ],
  [
    "is cancelled by another process",
    "CANCELLED",
    (scene, id) =>
      scene.elsewhere(
        `UPDATE commands SET status = 'CANCELLED', completed_at = created_at WHERE id = '${id}'`,
      ),
  ],
];

describe("a read waits until the command", () => {
  test.for(ends)("%s", async ([_how, status, end], { running: { scene, id } }) => {
    // The command must time out before the wait is over.
    scene.clock.advance(30_000);
    const { reading } = await hold(scene, id);
    await end(scene, id);
    expect(await reading).toMatchObject({ id, status });
    expect(scene.app.core.doorbell.size).toBe(0);
  });

  test("has ended, and returns immediately if it ended before", async ({
    running: { scene, id },
  }) => {
    await scene.cancel(id);
    const query = { wait: 60 };
    const read = scene.as("viewer").call("commands.get", { params: { commandId: id }, query });
    expect(await read).toMatchObject({ id, status: "CANCELLED" });
  });

  test("ends, for all its readers; readers of other commands keep waiting", async ({
    running: { scene, id },
  }) => {
    const other = await scene.execute();
    const { reading: elsewhere } = await hold(scene, other);
    const query = { wait: 60 };
    const reads = [1, 2, 3].map(() =>
      scene.as("viewer").call("commands.get", { params: { commandId: id }, query }),
    );
    await nextTurn();
    await scene.result(id);
    for (const { status } of await Promise.all(reads)) expect(status).toBe("SUCCEEDED");
    expect(scene.app.core.doorbell.size).toBe(1);
    await scene.cancel(other);
    expect((await elsewhere).status).toBe("CANCELLED");
  });
});

describe("a read returns the command as it is when", () => {
  test("the wait is over", async ({ running: { scene, id } }) => {
    const { reading } = await hold(scene, id, 1);
    scene.clock.advance(1200);
    expect(await reading).toMatchObject({ status: "RUNNING", result: null });
    expect(scene.app.core.doorbell.size).toBe(0);
  });

  test("the service stops, and immediately after that", async ({ running: { scene, id } }) => {
    const { reading } = await hold(scene, id);
    scene.app.core.doorbell.close();
    expect((await reading).status).toBe("RUNNING");
    const query = { wait: 60 };
    const read = scene.as("viewer").call("commands.get", { params: { commandId: id }, query });
    expect((await read).status).toBe("RUNNING");
  });

  test("its caller leaves", async ({ running: { scene, id } }) => {
    const { caller, leave, listens } = leavingCaller();
    const ctx = { ...systemContext(scene.app.core), caller };
    const reading = getCommand(ctx, id, { wait: 60 });
    await nextTurn();
    leave();
    expect((await reading).status).toBe("RUNNING");
    expect(scene.app.core.doorbell.size).toBe(0);
    expect(listens()).toBe(false);
  });
});

test.for([-1, 61])("a wait of %j is refused", async (wait, { running }) => {
  const params = { commandId: running.id };
  const query = { wait: wait as number };
  await expectInvalid(running.scene.as("viewer").call("commands.get", { params, query }), "wait");
});

test("a read of an unknown command does not wait", async ({ running: { scene } }) => {
  const read = scene
    .as("viewer")
    .call("commands.get", { params: { commandId: "cmd_none" }, query: { wait: 60 } });
  await expectRefused(read, "COMMAND_NOT_FOUND");
  expect(scene.app.core.doorbell.size).toBe(0);
});

describe("a generated key", () => {
  const secret = "sk-generated-0123456789";
  const done = { success: true, output: { user: "a", generatedKey: secret } };
  const hidden = { user: "a", generatedKey: "[REDACTED]" };

  test("is not shown to a waiting viewer, who does not use it up", async ({
    running: { scene, id },
  }) => {
    const { reading } = await hold(scene, id);
    await scene.result(id, done);
    expect((await reading).result?.output).toEqual(hidden);
    expect((await scene.get(id)).result?.output).toEqual(done.output);
  });

  test("is shown to one of several waiting operators", async ({ running: { scene, id } }) => {
    const query = { wait: 60 };
    const reads = (["viewer", "operator", "owner", "operator"] as const).map((role) =>
      scene.as(role).call("commands.get", { params: { commandId: id }, query }),
    );
    await nextTurn();
    await scene.result(id, done);
    const outputs = (await Promise.all(reads)).map(({ result }) => result?.output);
    const got = outputs.filter((output) => JSON.stringify(output).includes(secret));
    expect(got).toEqual([done.output]);
    expect(outputs[0]).toEqual(hidden);
  });

  describe("is not affected", () => {
    sqliteOnly("nodes share the key in the database, where it expires by the database's clock");

    test("by a clock jump", async ({ running: { scene, id } }) => {
      await scene.result(id, done);
      scene.clock.jump(86_400_000);
      expect((await scene.get(id)).result?.output).toEqual(done.output);
    });
  });

  test("is not used up by a caller that has left", async ({ running: { scene, id } }) => {
    await scene.result(id, done);
    const caller = { ...presentCaller, gone: true };
    const key = { kind: "apiKey", keyId: "k", name: "k", role: "owner" } as const;
    const principal = { ...key, userId: null, makerId: null };
    const ctx = { ...systemContext(scene.app.core), principal, caller };
    expect((await getCommand(ctx, id)).result?.output).toEqual(hidden);
    expect((await scene.get(id)).result?.output).toEqual(done.output);
  });

  test("is not used up by a call that keeps it", async ({ running: { scene, id } }) => {
    await scene.result(id, done);
    const input = { params: { commandId: id }, query: { secret: "keep" } } as const;
    const { result } = await scene.as("owner").call("commands.get", input);
    expect(result?.output).toEqual(hidden);
    expect((await scene.get(id)).result?.output).toEqual(done.output);
  });

  test("is not used up by a call that fails because of the disk", async ({
    running: { scene, id },
  }) => {
    await scene.result(id, done);
    const failure = new AppError("UNAVAILABLE", "The disk is full.");
    const durable = vi.spyOn(scene.app.core.db, "durable").mockRejectedValue(failure);
    await expectRefused(scene.get(id), "UNAVAILABLE");
    durable.mockRestore();
    expect((await scene.get(id)).result?.output).toEqual(done.output);
  });
});

test("a key that arrives while its command is read is shown by the next read", async ({
  running,
}) => {
  const { scene, id } = running;
  let reads = 0;
  interceptReads(scene, (reader) => ({
    async get<Row>(sql: string, ...params: SqlValue[]) {
      const row = await reader.get<Row>(sql, ...params);
      // This runs after the read of the command and before the read of its result.
      if (/FROM commands WHERE id = /.test(sql) && ++reads === 1) {
        await scene.result(id, { success: true, output: { generatedKey: "k-12345" } });
      }
      return row;
    },
  }));
  const operator = scene.as("operator");
  const read = () => operator.call("commands.get", { params: { commandId: id } });
  expect(await read()).toMatchObject({ status: "RUNNING", result: null });
  expect(await read()).toMatchObject({
    status: "SUCCEEDED",
    result: { output: { generatedKey: "k-12345" } },
  });
});

test("a caller whose access ends while waiting does not get the generated key", async ({
  running,
}) => {
  const { scene, id: commandId } = running;
  const owner = scene.as("owner");
  const body = { name: "pager", role: "operator" } as const;
  const { id: keyId, key } = await owner.call("api-keys.create", { body });
  const pager = await withKey(scene, key);
  const held = pager.call("commands.get", { params: { commandId }, query: { wait: 60 } });
  await nextTurn();
  await owner.call("api-keys.revoke", { params: { keyId } });
  scene.clock.advance(1000);
  await scene.result(commandId, { success: true, output: { generatedKey: "sk-1" } });
  await expectRefused(held, "UNAUTHORIZED");
  expect((await scene.get(commandId)).result?.output).toEqual({ generatedKey: "sk-1" });
});
