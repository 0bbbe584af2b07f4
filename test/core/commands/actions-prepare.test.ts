// A prepare command asks the agent for the form, and has many possible outcomes.

import { setImmediate as nextTurn } from "node:timers/promises";
import { test as base, describe, expect } from "vitest";
import { prepareAction } from "../../../src/core/commands/actions.ts";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { preparedOf } from "../../../src/core/commands/prepared-forms.ts";
import { systemContext } from "../../../src/core/context.ts";
import type { ActionEntry } from "../../../src/domain/fleet/services.ts";
import { startOfTime } from "../../helpers/app.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused } from "../refusals.ts";
import { collector, openScene, type Reported, type Scene } from "../scene.ts";

const catalogSchema = { required: ["file"], properties: { keep: { default: 3 } } };

const actions = [
  { name: "form", timeoutSeconds: 20, inputSchema: catalogSchema },
  { name: "quick", timeoutSeconds: 1 },
  { name: "slow", timeoutSeconds: 86_400 },
  { name: "plain" },
];

const test = base.extend("scene", () => openScene({}, [{ ...collector, actions }]));

function prepare({ as, serviceId }: Scene, actionName = "form") {
  const answer = as("operator").call("actions.prepare", { params: { serviceId, actionName } });
  // A test may await the response later.
  answer.catch(() => undefined);
  return answer;
}

async function taken(scene: Scene, actionName?: string) {
  const answer = prepare(scene, actionName);
  const [id = ""] = await scene.poll({ wait: 20 });
  return { answer, id };
}

async function waiting(scene: Scene, actionName?: string) {
  const answer = prepare(scene, actionName);
  const query = { type: "ACTION_PREPARE", status: "PENDING" } as const;
  while (true) {
    const { data } = await scene.as("viewer").page("commands.list", { query });
    if (data[0]) return { answer, id: data[0].id };
    await nextTurn();
  }
}

/** Returns the metrics about prepares that are not 0. */
async function counters({ as }: Scene): Promise<Record<string, number>> {
  const counted = Object.entries((await as("owner").call("metrics.get")).operational);
  return Object.fromEntries(counted.filter(([name, n]) => name.startsWith("actionPrep") && n > 0));
}

const ownSchema = { properties: { level: { default: "info" } } };

test.for<[title: string, output: unknown, inputSchema: object, initialPayload: object]>([
  ["nothing", undefined, catalogSchema, { keep: 3 }],
  ["its own form", { inputSchema: ownSchema }, ownSchema, { level: "info" }],
  ["an empty form", { inputSchema: {} }, {}, {}],
  ["a form that is a list", { inputSchema: [] }, catalogSchema, { keep: 3 }],
  ["a payload alone", { initialPayload: { file: "x" } }, catalogSchema, { file: "x" }],
  ["a payload that is a list", { initialPayload: [1] }, catalogSchema, { keep: 3 }],
  ["a form whose default is not an object", { inputSchema: { default: 5 } }, { default: 5 }, {}],
])("with %s, the rest comes from the catalog", ([, output, inputSchema, initialPayload]) => {
  const prepared = preparedOf(output, { inputSchema: catalogSchema } as unknown as ActionEntry);
  const rest = { currentState: null, stateFingerprint: null };
  expect(prepared).toEqual({ inputSchema, initialPayload, ...rest });
});

describe("a successful prepare returns", () => {
  test("the form, the payload, the state and the command", async ({ scene }) => {
    const { answer, id } = await taken(scene);
    const output = {
      inputSchema: { properties: { level: { type: "string", default: "info" } } },
      initialPayload: { level: "debug" },
      currentState: { level: "warn" },
    };
    await scene.result(id, { success: true, output });
    const prepared = await answer;
    expect(prepared).toMatchObject({
      action: { name: "form", timeoutSeconds: 20, inputSchema: catalogSchema },
      ...output,
      command: { id, type: "ACTION_PREPARE", status: "SUCCEEDED", payload: {}, reason: null },
    });
    expect(prepared.command!.result?.output).toEqual(output);
    expect(await scene.auditOf(id)).toEqual([
      "action.prepare.requested",
      "command.dispatched",
      "command.completed",
    ]);
    expect(await counters(scene)).toEqual({ actionPrepareRequested: 1 });
  });

  test("its own result if several run concurrently", async ({ scene }) => {
    const answers = [prepare(scene), prepare(scene), prepare(scene, "plain")];
    const ids: string[] = [];
    while (ids.length < 3) ids.push(...(await scene.poll({ wait: 20 })));
    for (const [index, id] of ids.entries()) {
      await scene.result(id, { success: true, output: { currentState: index } });
    }
    const states = (await Promise.all(answers)).map(({ command, currentState }) => [
      command!.id,
      currentState,
    ]);
    expect(states.sort()).toEqual(ids.map((id, index) => [id, index]).sort());
  });

  test("a generated key to the waiting caller only", async ({ scene }) => {
    const { answer, id } = await taken(scene);
    await scene.result(id, { success: true, output: { generatedKey: "sk-1" } });
    const { command, ...prepared } = await answer;
    expect(command!.result?.output).toEqual({ generatedKey: "sk-1" });
    expect(prepared).toMatchObject({ inputSchema: catalogSchema, initialPayload: { keep: 3 } });
    expect((await scene.get(id)).result?.output).toEqual({ generatedKey: "[REDACTED]" });
  });
});

test.for<[report: Reported, code: string, message: string | null]>([
  [{ success: false, error: { code: "NO_ACCESS", message: "no" } }, "NO_ACCESS", "no"],
  [{ success: false, message: "broken" }, "ACTION_FAILED", "broken"],
  // The agent reports one of the server's own error codes.
  [{ success: false, error: { code: "ACTION_PREPARE_TIMEOUT" } }, "ACTION_PREPARE_TIMEOUT", null],
])(
  "a prepare that fails at the agent fails for the caller: %j",
  async ([report, code, message], { scene }) => {
    const { answer, id } = await taken(scene);
    await scene.result(id, report);
    await expectRefused(answer, "ACTION_PREPARE_FAILED", {
      commandId: id,
      status: "FAILED",
      code,
      message,
    });
    expect(await scene.get(id)).toMatchObject({ status: "FAILED", errorCode: code });
    expect(await counters(scene)).toEqual({ actionPrepareRequested: 1, actionPrepareFailures: 1 });
  },
);

describe("a prepare that is too late", () => {
  const late = { code: "ACTION_PREPARE_TIMEOUT", details: { code: "ACTION_PREPARE_TIMEOUT" } };
  const counted = { actionPrepareRequested: 1, actionPrepareTimeouts: 1 };

  test.for([
    ["fetched without a result", taken],
    ["never fetched", waiting],
  ] as const)("when %s, ends after the caller's timeout", async ([how, begin], { scene }) => {
    const { answer, id } = await begin(scene, "quick");
    scene.clock.advance(1200);
    await expect(answer).rejects.toMatchObject(late);
    expect(await scene.get(id)).toMatchObject({
      status: "FAILED",
      errorCode: "ACTION_PREPARE_TIMEOUT",
      errorMessage: expect.stringContaining(how === "never fetched" ? "fetch" : "respond"),
    });
    expect(await counters(scene)).toEqual(counted);
    expect((await scene.auditOf(id)).at(-1)).toBe("command.expired");
    expect(scene.app.core.doorbell.size).toBe(0);
  });

  test.for([
    ["fetched", taken],
    ["not fetched", waiting],
  ] as const)("when %s, is ended by the expiry job", async ([_how, begin], { scene }) => {
    const { answer, id } = await begin(scene);
    scene.clock.advance(20_000);
    const expired = await expireCommands(scene.app.core);
    // PostgreSQL takes longer to respond, so the caller's timeout can be noticed first.
    if (scene.database.engine === "sqlite") expect(expired).toBe(1);
    await expect(answer).rejects.toMatchObject(late);
    expect(await counters(scene)).toEqual(counted);
    // Two checks find the expired prepare, but it ends only once.
    const ends = (await scene.auditOf(id)).filter((action) => action === "command.expired");
    expect(ends).toHaveLength(1);
  });

  test("keeps a result that comes afterwards as late", async ({ scene }) => {
    const { answer, id } = await taken(scene);
    scene.clock.advance(20_000);
    await expireCommands(scene.app.core);
    await expect(answer).rejects.toMatchObject(late);
    const refused = scene.result(id, { success: true, output: { currentState: 1 } });
    await expectRefused(refused, "COMMAND_ALREADY_COMPLETED", { status: "FAILED" });
    expect(await scene.get(id)).toMatchObject({
      status: "FAILED",
      errorCode: "ACTION_PREPARE_TIMEOUT",
      result: null,
      lateResult: { success: true, output: { currentState: 1 } },
    });
    expect(await counters(scene)).toEqual(counted);
  });

  test.for([
    ["form", 20],
    ["plain", 30],
    ["slow", 60],
  ] as const)("%s times out after %i seconds", async ([actionName, seconds], { scene }) => {
    const { answer, id } = await waiting(scene, actionName);
    const { expiresAt } = await scene.get(id);
    expect(Date.parse(expiresAt)).toBe(startOfTime + seconds * 1000);
    await scene.cancel(id);
    await expectRefused(answer, "COMMAND_ALREADY_COMPLETED");
  });
});

test.for([
  ["waits", waiting, false],
  ["runs", taken, true],
] as const)("a prepare can be cancelled while it %s", async (row, { scene }) => {
  const [, begin, cancelledWhileRunning] = row;
  const { answer, id } = await begin(scene);
  await scene.cancel(id);
  await expectRefused(answer, "COMMAND_ALREADY_COMPLETED", { commandId: id, status: "CANCELLED" });
  expect(await scene.get(id)).toMatchObject({ status: "CANCELLED", cancelledWhileRunning });
  await expectRefused(scene.result(id), "COMMAND_ALREADY_COMPLETED");
  expect(await counters(scene)).toEqual({ actionPrepareRequested: 1 });
});

describe("the agent becomes unreachable", () => {
  test.for([
    ["disable", "waiting", waiting, "AGENT_DISABLED"],
    ["revoke-token", "running", taken, "UNAUTHORIZED"],
  ] as const)(
    "after %s, a prepare that is %s times out",
    async ([how, _state, begin, refusal], { scene }) => {
      const { answer, id } = await begin(scene);
      await scene.as("operator").call(`agents.${how}`, { params: scene.agent });
      await expectRefused(scene.poll({ wait: 0, held: "" }), refusal);
      await expectRefused(scene.result(id), refusal);
      scene.clock.advance(20_000);
      await expireCommands(scene.app.core);
      await expectRefused(answer, "ACTION_PREPARE_TIMEOUT");
    },
  );

  test("if the agent registers again in time, the prepare continues", async ({ scene }) => {
    const { answer, id } = await waiting(scene);
    const again = await scene.registerAgent("edge-1");
    expect(await scene.poll({ wait: 20 }, again)).toEqual([id]);
    await scene.result(id, { success: true, output: { currentState: "again" } }, again);
    expect((await answer).currentState).toBe("again");
  });

  test("when the service moves, the prepare stays with its agent", async ({ scene }) => {
    const { answer, id } = await waiting(scene);
    const other = await scene.registerAgent("edge-2", [{ ...collector, actions }]);
    expect(await scene.poll({ wait: 0 }, other)).toEqual([]);
    expect(await scene.poll()).toEqual([id]);
    await scene.result(id, { success: true });
    expect((await answer).command!.agentId).toBe(scene.agent.agentId);
  });
});

describe("after the caller has left", () => {
  test("the prepare continues, and its result is kept", async ({ scene }) => {
    const { caller, leave } = leavingCaller();
    const key = { kind: "apiKey", keyId: "k", name: "k", role: "operator" } as const;
    const principal = { ...key, userId: null, makerId: null };
    const ctx = { ...systemContext(scene.app.core), principal, caller };
    const answer = prepareAction(ctx, scene.serviceId, "form", false);
    answer.catch(() => undefined);
    const [id = ""] = await scene.poll({ wait: 20 });
    leave();
    await expectRefused(answer, "UNAVAILABLE", { commandId: id });
    expect(scene.app.core.doorbell.size).toBe(0);
    await scene.result(id, { success: true, output: { generatedKey: "sk-1" } });
    // The key is kept for the first operator who reads it.
    expect(await scene.get(id)).toMatchObject({
      status: "SUCCEEDED",
      result: { output: { generatedKey: "sk-1" } },
    });
  });

  test("when the service stops, the call fails with UNAVAILABLE and the command stays", async ({
    scene,
  }) => {
    const { answer, id } = await taken(scene);
    scene.app.core.doorbell.close();
    await expectRefused(answer, "UNAVAILABLE", { commandId: id });
    expect(await scene.get(id)).toMatchObject({ status: "RUNNING" });
  });
});

describe("a prepare is refused without creating a command", () => {
  test.for<[title: string, code: string, attempt: (scene: Scene) => Promise<unknown>]>([
    ["an unknown action", "ACTION_NOT_FOUND", (scene) => prepare(scene, "none")],
    [
      "a removed action",
      "ACTION_NOT_FOUND",
      async (scene) => {
        await scene.report([{ ...collector, actions: [] }]);
        return prepare(scene);
      },
    ],
  ])("%s: %s", async ([_title, code, attempt], { scene }) => {
    await expectRefused(attempt(scene), code);
    expect(await scene.as("viewer").call("commands.list")).toEqual([]);
    expect(await counters(scene)).toEqual({});
  });
});
