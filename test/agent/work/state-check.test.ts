// Executions on the condition that the state is unchanged, with the library and a server.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Action, Prepared } from "../../../src/agent/index.ts";
import { fingerprintOf } from "../../../src/agent/work/state-check.ts";
import type { Json } from "../../../src/domain/payload/json.ts";
import { commandOf, ended, paramsOf, serviceWith, startPair, until } from "../harness.ts";
import { textSoFar } from "../output-of.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function openPair(action: Partial<Action>) {
  const runs: string[] = [];
  const work: Partial<Action> = {
    execute: (_payload, { command }) => {
      runs.push(command.id);
      return "ran";
    },
    ...action,
  };
  const { server, tested } = await startPair(serviceWith(work));
  const operator = server.as("operator");
  const params = await paramsOf(server);
  const prepare = () => operator.call("actions.prepare", { params });
  const execute = async (prepareCommandId: string) => {
    const body = { prepareCommandId, ifUnchanged: true };
    return (await operator.call("actions.execute", { params, body })).command!.id;
  };
  return { server, tested, operator, runs, prepare, execute };
}

test.each<[what: string, prepared: Prepared, fingerprint: string | undefined]>([
  [
    "of the state in canonical form",
    { currentState: { b: 1, a: null } },
    sha256('{"a":null,"b":1}'),
  ],
  [
    "of what JSON makes of the state",
    { currentState: { at: new Date(0), no: undefined } as never },
    sha256('{"at":"1970-01-01T00:00:00.000Z"}'),
  ],
  ["is the handler's own", { currentState: 1, stateFingerprint: "v7" }, "v7"],
  ["is missing without a state", { initialPayload: {} }, undefined],
  ["is missing for null", { currentState: null }, undefined],
])("the fingerprint of a prepare %s", (_what, prepared, fingerprint) => {
  expect(fingerprintOf(prepared)).toBe(fingerprint);
});

test.each(["", "x".repeat(201), 5])("the fingerprint %j fails the prepare", (stateFingerprint) => {
  const prepared = { currentState: 1, stateFingerprint } as never;
  expect(() => fingerprintOf(prepared)).toThrow(
    expect.objectContaining({ code: "ACTION_PREPARE_INVALID" }),
  );
});

test("the action runs while the state is the same, and not when it has changed", async () => {
  let state: Json = { files: 3 };
  const { server, runs, prepare, execute } = await openPair({
    prepare: () => ({ currentState: state }),
  });
  const { command, stateFingerprint, canPlan } = await prepare();
  expect([stateFingerprint, canPlan]).toEqual([sha256('{"files":3}'), true]);
  const first = await execute(command!.id);
  expect(await ended(server, first)).toMatchObject({ status: "SUCCEEDED" });
  state = { files: 4 };
  const second = await execute(command!.id);
  const end = await ended(server, second);
  expect(end).toMatchObject({
    status: "FAILED",
    errorCode: "STATE_CHANGED",
    result: {
      error: {
        details: {
          stateFingerprint: sha256('{"files":4}'),
          currentState: { files: 4 },
          preparedState: { files: 3 },
        },
      },
    },
  });
  expect(runs).toEqual([first]);
});

test("the state is compared when it is the command's turn, after the executions before it", async () => {
  let count = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { server, runs, prepare, execute } = await openPair({
    prepare: () => ({ currentState: { count } }),
    execute: async (_payload, { command }) => {
      await held;
      count++;
      runs.push(command.id);
      return null;
    },
  });
  const { command } = await prepare();
  const both = await Promise.all([execute(command!.id), execute(command!.id)]);
  const areDelivered = async () => {
    const commands = await Promise.all(both.map((id) => commandOf(server, id)));
    return commands.every(({ deliveries }) => deliveries === 1);
  };
  await until(areDelivered, "both commands are delivered");
  release();
  const ends = await Promise.all(both.map((id) => ended(server, id)));
  expect(ends.map(({ errorCode }) => errorCode).toSorted()).toEqual(["STATE_CHANGED", null]);
  expect(runs).toHaveLength(1);
});

describe("nothing runs", () => {
  test("if the prepare fails this time, or there is no state", async () => {
    let state: Json | Error = 1;
    const { server, runs, prepare, execute } = await openPair({
      prepare: () => {
        if (state instanceof Error) throw state;
        return { currentState: state };
      },
    });
    const { command } = await prepare();
    state = new Error("the disk is gone");
    expect(await ended(server, await execute(command!.id))).toMatchObject({
      errorCode: "STATE_NOT_CHECKED",
      errorMessage: expect.stringContaining("the disk is gone"),
    });
    state = null;
    const end = await ended(server, await execute(command!.id));
    expect(end).toMatchObject({ errorCode: "STATE_NOT_CHECKED" });
    expect(runs).toEqual([]);
  });

  test("if the command is cancelled during the comparison, which ignores it", async () => {
    let prepares = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { tested, operator, server, runs, prepare, execute } = await openPair({
      prepare: async () => {
        if (++prepares > 1) await held;
        return { currentState: 1 };
      },
    });
    const { command } = await prepare();
    const id = await execute(command!.id);
    await until(() => prepares === 2, "the comparison");
    await operator.call("commands.cancel", { params: { commandId: id } });
    const notice = await until(async () => {
      const { data } = await operator.page("audit-events.list", { query: { targetId: id } });
      return data.some(({ action }) => action === "command.cancelled");
    }, "the cancellation");
    expect(notice).toBe(true);
    await tested.event("command.cancelled");
    release();
    const late = await until(
      async () => (await ended(server, id)).cancelOutcome !== "UNCONFIRMED",
      "the outcome",
    );
    expect(late).toBe(true);
    expect(await ended(server, id)).toMatchObject({
      status: "CANCELLED",
      cancelOutcome: "STOPPED",
    });
    expect(runs).toEqual([]);
  });

  test("if the comparison takes longer than the action may", async () => {
    let prepares = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { server, runs, prepare, execute } = await openPair({
      timeoutSeconds: 1,
      prepare: async () => {
        if (++prepares === 2) await held;
        return { currentState: 1 };
      },
    });
    const { command } = await prepare();
    const end = await ended(server, await execute(command!.id));
    expect(end).toMatchObject({ errorCode: expect.stringMatching(/TIMED_OUT$/) });
    release();
    // The next command runs after everything that the comparison could still start.
    const next = await execute(command!.id);
    expect(await ended(server, next)).toMatchObject({ status: "SUCCEEDED" });
    expect(runs).toEqual([next]);
  });
});

test("the agent says what it can do, handlers see the condition, and what the comparison writes is not in the output", async () => {
  const seen: unknown[] = [];
  const { tested, server, operator, prepare, execute } = await openPair({
    prepare: ({ command, output }) => {
      seen.push([command.type, command.expectedState]);
      output.write("comparing\n");
      return { currentState: 1 };
    },
    execute: (_payload, { output }) => output.write("running\n"),
  });
  const params = { agentId: tested.agent.agentId ?? "" };
  expect(await operator.call("agents.get", { params })).toMatchObject({ features: ["plan"] });
  const { command } = await prepare();
  const commandId = await execute(command!.id);
  expect(await ended(server, commandId)).toMatchObject({ status: "SUCCEEDED" });
  expect(seen).toEqual([
    ["ACTION_PREPARE", undefined],
    ["ACTION_EXECUTE", sha256("1")],
  ]);
  await expect.poll(() => textSoFar(operator, commandId)).toBe("running\n");
});
