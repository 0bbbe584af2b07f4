// A command's result is recorded once, and a late result is stored beside it.

import { expect } from "vitest";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { SecretsInMemory } from "../../../src/core/secrets/secrets-in-memory.ts";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import type { Tx } from "../../../src/store/database.ts";
import { everyRow, isStored } from "../../helpers/stored.ts";
import { test as base, openScene, type Reported, type Scene } from "../scene.ts";

const test = base.extend("running", () => openRunning());

const failed = { success: false, error: { code: "GONE", message: "a.log is gone" } };

async function openRunning(): Promise<{ scene: Scene; id: string }> {
  const scene = await openScene();
  const id = await scene.execute();
  await scene.poll();
  return { scene, id };
}

test("a success has an output and one audit row", async ({ running: { scene, id } }) => {
  scene.clock.advance(1500);
  const report = { success: true, output: { files: [1, null] }, message: "done" };
  expect(await scene.result(id, report)).toEqual({
    commandId: id,
    status: "SUCCEEDED",
    duplicate: false,
  });
  const command = await scene.get(id);
  expect(command).toMatchObject({ status: "SUCCEEDED", durationMs: 1500, errorCode: null });
  expect(command.result).toEqual({ ...report, receivedAt: command.completedAt });
  expect(command.lateResult).toBeNull();
  expect((await scene.auditOf(id)).slice(2)).toEqual(["command.completed"]);
});

test("a failure is stored with its code and message", async ({ running: { scene, id } }) => {
  const report = { ...failed, error: { ...failed.error, message: "m".repeat(501) } };
  await scene.result(id, report);
  const command = await scene.get(id);
  expect(command).toMatchObject({
    status: "FAILED",
    errorCode: "GONE",
    errorMessage: "m".repeat(500),
  });
  // The result object around the output is not shortened.
  expect(command.result).toEqual({ ...report, receivedAt: command.completedAt });
  expect((await scene.auditOf(id)).slice(2)).toEqual(["command.failed"]);
});

test("every field that the agent sends is kept", async ({ running: { scene, id } }) => {
  const error = { code: "GONE", message: "a.log is gone", retryable: false, at: ["a.log", null] };
  const report = { success: false, error, traceId: "4bf9", hints: { retryAfter: 3, apiKey: "x1" } };
  await scene.result(id, report as Reported);
  const command = await scene.get(id);
  const other = { traceId: "4bf9", hints: { retryAfter: 3, apiKey: "[REDACTED]" } };
  expect(command.result).toEqual({
    success: false,
    error,
    other,
    receivedAt: command.completedAt,
  });
  expect(await scene.result(id, report as Reported)).toMatchObject({ duplicate: true });
  const changed = scene.result(id, { ...report, traceId: "4bfa" } as Reported);
  await expect(changed).rejects.toMatchObject({ code: "COMMAND_ALREADY_COMPLETED" });
  expect((await scene.get(id)).lateResult).toMatchObject({ other: { traceId: "4bfa" } });
});

test("a long code and message are cut on the command only", async ({ running: { scene, id } }) => {
  const error = { code: "C".repeat(20_000), message: "m".repeat(200_000) };
  await scene.result(id, { success: false, error, message: "n".repeat(200_000) });
  const command = await scene.get(id);
  expect([command.errorCode, command.errorMessage]).toEqual(["C".repeat(80), "m".repeat(500)]);
  expect(command.result).toMatchObject({ error, message: "n".repeat(200_000) });
});

test.for<[what: string, report: object, result: object]>([
  ["an error and a message", { success: true, error: null, message: null }, { success: true }],
  ["an output beside data", { success: true, output: null, data: 1 }, { success: true, output: 1 }],
  [
    "fields of an error",
    { success: false, error: { code: null, message: null, details: null } },
    { success: false, error: {} },
  ],
])("null is accepted for %s", async ([_, report, result], { running: { scene, id } }) => {
  await scene.result(id, report as Reported);
  const { result: stored, completedAt } = await scene.get(id);
  expect(stored).toEqual({ ...result, receivedAt: completedAt });
});

test("a result of a command that was never delivered is refused", async ({ scene }) => {
  const id = await scene.execute();
  await expect(scene.result(id)).rejects.toMatchObject({
    code: "COMMAND_NOT_RUNNING",
    details: { commandId: id, status: "PENDING" },
  });
  expect(await scene.get(id)).toMatchObject({ status: "PENDING", result: null, lateResult: null });
  await scene.poll();
  expect(await scene.result(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("the same result in another order is a duplicate", async ({ running: { scene, id } }) => {
  await scene.result(id, { success: true, output: { a: 1, b: 2 } });
  const before = await scene.get(id);
  scene.clock.advance(1000);
  const again = { commandId: id, status: "SUCCEEDED", duplicate: true };
  expect(await scene.result(id, { output: { b: 2, a: 1 }, success: true })).toEqual(again);
  expect(await scene.result(id, { success: true, data: { a: 1, b: 2 } } as Reported)).toEqual(
    again,
  );
  expect(await scene.get(id)).toEqual(before);
  expect(await scene.auditOf(id)).toHaveLength(3);
});

const otherEnds: [how: string, status: string, end: (scene: Scene, id: string) => unknown][] = [
  ["another result", "FAILED", (scene, id) => scene.result(id, failed)],
  ["a cancellation", "CANCELLED", (scene, id) => scene.cancel(id)],
  [
    "its timeout",
    "FAILED",
    ({ clock, app }) => {
      clock.advance(60_000);
      return expireCommands(app.core);
    },
  ],
];

test.for(otherEnds)(
  "a result after %s is kept as late and audited once",
  async ([_how, status, end], { running: { scene, id } }) => {
    await end(scene, id);
    const before = await scene.get(id);
    const report = { success: true, output: "late" };
    const refusal = { code: "COMMAND_ALREADY_COMPLETED", details: { commandId: id, status } };
    await expect(scene.result(id, report)).rejects.toMatchObject(refusal);
    await expect(scene.result(id, report)).rejects.toMatchObject(refusal);
    const lateResult = { ...report, receivedAt: expect.any(String) };
    const cancelOutcome = status === "CANCELLED" ? "FINISHED" : null;
    expect(await scene.get(id)).toEqual({ ...before, lateResult, cancelOutcome });
    expect((await scene.auditOf(id)).slice(3)).toEqual(["command.result.late"]);

    // A later result replaces the late one, so that the last key that the agent generated is kept.
    const another = { success: false, message: "even later" };
    await expect(scene.result(id, another)).rejects.toMatchObject(refusal);
    expect((await scene.get(id)).lateResult).toMatchObject(another);
    expect(await scene.auditOf(id)).toHaveLength(5);
  },
);

test("another agent's command is not found", async ({ running: { scene, id } }) => {
  const other = await scene.registerAgent("edge-2");
  const refusal = { code: "COMMAND_NOT_FOUND" };
  await expect(scene.result("cmd_none", failed)).rejects.toMatchObject(refusal);
  await expect(scene.result(id, failed, other)).rejects.toMatchObject(refusal);
  expect(await scene.get(id)).toMatchObject({ status: "RUNNING", lateResult: null });
  expect(await scene.auditOf(id)).toHaveLength(2);
});

const ownToken = mintToken("agent", (bytes) => bytes.fill(7));
const cut = "platform_agent_[REDACTED]";

test("secrets are removed wherever a result is stored", async ({ running: { scene, id } }) => {
  await scene.result(id, {
    success: false,
    output: { session: { cookie: "hunter2" }, note: ownToken },
    error: { code: "AUTH", message: `refused ${ownToken}`, details: { password: "hunter2" } },
    message: ownToken,
  });
  const command = await scene.get(id);
  expect(command.result).toMatchObject({
    output: { session: { cookie: "[REDACTED]" }, note: cut },
    error: { code: "AUTH", message: `refused ${cut}`, details: { password: "[REDACTED]" } },
    message: cut,
  });
  expect(command.errorMessage).toBe(`refused ${cut}`);
  const { data } = await scene.as("viewer").page("audit-events.list", { query: { targetId: id } });
  expect(data[0]).toMatchObject({ action: "command.failed", message: `refused ${cut}` });
  expect(await isStored(scene, "hunter2")).toBe(false);
  expect(await isStored(scene, ownToken)).toBe(false);
  expect(await isStored(scene, id)).toBe(true);
});

const secrets = { pinToken: 987654, login: { password: "hunter2-9" }, apiKey: "sword fish" };

test("the payload's secrets are removed wherever a result is stored", async ({ scene }) => {
  const id = await scene.execute({ payload: { ...secrets, file: "a.log" } });
  await scene.poll();
  await scene.result(id, {
    success: false,
    output: { lines: ["login hunter2-9"], "sword fish": [987654, 1, true] },
    error: {
      code: "BAD_HUNTER2-9",
      message: "not HUNTER2-9",
      details: { stderr: "a aHVudGVyMi05 b sword%20fish", argv: ["-p", "hunter2-9"] },
      hint: "sword+fish",
      "sword fish": 1,
    },
    message: "hunter2-9",
    trace: "hunter2-9",
  } as Reported);
  const command = await scene.get(id);
  expect(command.result).toMatchObject({
    output: { lines: ["login [REDACTED]"], "[REDACTED]": ["[REDACTED]", 1, true] },
    error: {
      code: "BAD_[REDACTED]",
      message: "not [REDACTED]",
      details: { stderr: "a [REDACTED] b [REDACTED]", argv: ["-p", "[REDACTED]"] },
      hint: "[REDACTED]",
      "[REDACTED]": 1,
    },
    message: "[REDACTED]",
    other: { trace: "[REDACTED]" },
  });
  expect(command).toMatchObject({ errorCode: "BAD_[REDACTED]", errorMessage: "not [REDACTED]" });
  const rows = JSON.stringify(await everyRow(scene));
  for (const form of ["unter2-9", "UNTER2-9", "sword fish", "987654", "aHVudGVyMi05"]) {
    expect(rows).not.toContain(form);
  }
});

test("a late result of a command that had secrets loses its texts", async ({ scene }) => {
  const id = await scene.execute({ payload: secrets });
  await scene.poll();
  await scene.cancel(id);
  const report = {
    success: false,
    error: { code: "COMMAND_CANCELLED", message: "stopped hunter2-9", details: { a: "hunter2-9" } },
    message: "hunter2-9",
  };
  await expect(scene.result(id, report)).rejects.toMatchObject({});
  const command = await scene.get(id);
  expect(command).toMatchObject({ cancelOutcome: "STOPPED" });
  expect(command.lateResult).toMatchObject({
    error: { code: "COMMAND_CANCELLED", message: "[REDACTED]" },
    message: "[REDACTED]",
  });
  expect(JSON.stringify(await everyRow(scene))).not.toContain("hunter2-9");
});

test("a prepare's form keeps secret fields, without their values", async ({ scene }) => {
  const params = { serviceId: scene.serviceId, actionName: "form" };
  const preparing = scene.as("operator").call("actions.prepare", { params });
  const [id = ""] = await scene.poll({ wait: 20 });
  const password = { type: "string", minLength: 12 };
  await scene.result(id, {
    success: true,
    output: {
      inputSchema: { properties: { password: { ...password, default: "hunter2" } } },
      initialPayload: { password: "hunter2", file: "a.log" },
      currentState: { password: "hunter2", files: 3 },
    },
  });
  expect(await preparing).toMatchObject({
    inputSchema: { properties: { password } },
    initialPayload: { file: "a.log" },
    currentState: { password: "[REDACTED]", files: 3 },
  });
  expect(await isStored(scene, "hunter2")).toBe(false);
});

const secret = "sk-generated-0123456789";
const withSecret = { success: true, output: { user: "a", generatedKey: secret } };
const withoutSecret = { user: "a", generatedKey: "[REDACTED]" };

test("a generated key is shown once, to an operator", async ({ running: { scene, id } }) => {
  await scene.result(id, withSecret);
  const outputFor = async (role: "viewer" | "operator" | "owner") =>
    (await scene.as(role).call("commands.get", { params: { commandId: id } })).result?.output;
  expect(await outputFor("viewer")).toEqual(withoutSecret);
  expect(await isStored(scene, secret)).toBe(false);
  expect(await outputFor("operator")).toEqual(withSecret.output);
  expect(await outputFor("operator")).toEqual(withoutSecret);
  expect(await outputFor("owner")).toEqual(withoutSecret);
  // Sending the result again does not restore the key.
  expect(await scene.result(id, withSecret)).toMatchObject({ duplicate: true });
  expect(await outputFor("owner")).toEqual(withoutSecret);
  expect(await isStored(scene, secret)).toBe(false);
  expect(await isStored(scene, id)).toBe(true);
});

test.for<[title: string, report: Reported]>([
  ["below the top level", { success: true, output: { deep: { generatedKey: secret } } }],
  ["that is not text", { success: true, output: { generatedKey: [secret] } }],
  ["of a failure", { success: false, output: { generatedKey: secret } }],
])(
  "a generated key %s is redacted like any secret",
  async ([_title, report], { running: { scene, id } }) => {
    await scene.result(id, report);
    const text = JSON.stringify(await scene.get(id));
    expect(text).toContain("[REDACTED]");
    expect(text).not.toContain(secret);
  },
);

test("a generated key is not kept if its result is late", async ({ running: { scene, id } }) => {
  await scene.cancel(id);
  await expect(scene.result(id, withSecret)).rejects.toMatchObject({});
  expect((await scene.get(id)).lateResult?.output).toEqual(withoutSecret);
  expect(await scene.app.core.oneTimeSecrets.take(id)).toBeNull();
});

test("reading a command without its result keeps the key", async ({ running: { scene, id } }) => {
  const { db, oneTimeSecrets } = scene.app.core;
  await db.write((tx) => oneTimeSecrets.put(tx, id, secret));
  expect((await scene.get(id)).result).toBeNull();
  expect(await oneTimeSecrets.take(id)).toBe(secret);
});

test("generated keys are kept for five minutes, and the oldest are dropped first", async () => {
  let time = 0;
  const secrets = new SecretsInMemory(() => time);
  const committed = { afterCommit: (effect) => effect() } as Tx;
  await secrets.put(committed, "early", secret);
  await secrets.put(committed, "late", secret);
  time = 300_000 - 1;
  expect(await secrets.take("early")).toBe(secret);
  expect(await secrets.take("early")).toBeNull();
  time++;
  expect(await secrets.take("late")).toBeNull();
  for (let count = 0; count < 1001; count++) await secrets.put(committed, `${count}`, secret);
  const taken: (string | null)[] = [];
  for (const id of ["0", "1", "1000"]) taken.push(await secrets.take(id));
  expect(taken).toEqual([null, secret, secret]);
});
