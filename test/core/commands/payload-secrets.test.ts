// Only the agent gets the secrets of a command. They are deleted when the command ends.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test as base, describe, expect } from "vitest";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { expectInvalid, expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const inputSchema = {
  properties: { pin: { type: "string", format: "password" }, file: { type: "string" } },
  required: ["file"],
};
const actions = [
  { name: "rotate", inputSchema, timeoutSeconds: 60 },
  { name: "form", timeoutSeconds: 20 },
];
const payload = { file: "a.log", pin: "hunter2-pin", login: { password: "hunter2-login" } };
const shown = { file: "a.log", pin: "[REDACTED]", login: { password: "[REDACTED]" } };
const withheld = ["/pin", "/login/password"];

const test = base.extend("scene", () => openScene({}, [{ ...collector, actions }]));

async function storedText({ database }: Scene): Promise<string> {
  const tables = ["commands", "command_results", "audit_events"];
  const rows = tables.map((table) => database.read.all(`SELECT * FROM ${table}`));
  return JSON.stringify(await Promise.all(rows));
}

async function polled({ agent }: Scene) {
  return (await agent.client.call("agent.poll", { query: { wait: 0, held: "" } })).commands;
}

function retry(scene: Scene, commandId: string, body: object = {}) {
  return scene.as("operator").call("commands.retry", { params: { commandId }, body });
}

describe("while the command is open", () => {
  test("the agent gets the whole payload at each delivery", async ({ scene }) => {
    await scene.execute({ payload });
    expect((await polled(scene))[0]?.payload).toEqual(payload);
    expect((await polled(scene))[0]?.payload).toEqual(payload);
  });

  test("nobody else gets the secrets, not even an owner", async ({ scene }) => {
    const commandId = await scene.execute({ payload });
    const answer = await scene.as("owner").call("commands.get", { params: { commandId } });
    expect(answer).toMatchObject({ payload: shown, withheld });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  test("later catalog changes do not affect the secrets", async ({ scene }) => {
    const id = await scene.execute({ payload });
    await scene.report([{ ...collector, actions: [{ name: "rotate", timeoutSeconds: 60 }] }]);
    expect((await scene.get(id)).payload).toEqual(shown);
    await scene.cancel(id);
    expect(await storedText(scene)).not.toContain("hunter2");
  });

  test("the prepare's schema decides which fields are secret", async ({ scene }) => {
    const output = { inputSchema: { properties: { word: { writeOnly: true } } } };
    const prepareCommandId = await scene.prepare({ success: true, output });
    const id = await scene.execute({ payload: { word: "hunter2", pin: "1" }, prepareCommandId });
    expect(await scene.get(id)).toMatchObject({
      payload: { word: "[REDACTED]", pin: "1" },
      withheld: ["/word"],
    });
  });
});

type End = (scene: Scene, id: string) => Promise<unknown>;

const ends: Record<string, End> = {
  "with a result": async (scene, id) => {
    await scene.poll();
    await scene.result(id);
  },
  cancelled: (scene, id) => scene.cancel(id),
  expired: async (scene) => {
    scene.clock.advance(300_000);
    await expireCommands(scene.app.core);
  },
};

describe("after its end the secrets are deleted", () => {
  test.for(Object.entries(ends))("%s", async ([_how, end], { scene }) => {
    const id = await scene.execute({ payload });
    expect(await storedText(scene)).toContain("hunter2");
    await end(scene, id);
    expect(await storedText(scene)).not.toContain("hunter2");
    expect(await scene.get(id)).toMatchObject({ payload: shown, withheld });
  });

  describe("from the database file as well", () => {
    sqliteOnly("PostgreSQL keeps deleted rows until it vacuums their table");

    test("after a checkpoint", async ({ scene }) => {
      const large = { ...payload, note: "n".repeat(20_000), token: "hunter2".repeat(1000) };
      for (const body of [{ payload }, { payload: large }])
        await scene.cancel(await scene.execute(body));
      await scene.app.close();
      await scene.database.close();
      const { dataDir } = scene.config;
      const containing = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter(
        (name) =>
          statSync(join(dataDir, name)).isFile() &&
          readFileSync(join(dataDir, name)).includes("hunter2"),
      );
      expect(containing).toEqual([]);
    });
  });
});

describe("a retry", () => {
  test("requires the secrets again, and lists the missing ones", async ({ scene }) => {
    const id = await scene.execute({ payload });
    await scene.cancel(id);
    const refused = { code: "PAYLOAD_NEEDS_SECRETS" };
    await expect(retry(scene, id)).rejects.toMatchObject({
      ...refused,
      details: { pointers: withheld },
    });
    await expect(retry(scene, id, { secrets: { "/pin": "1" } })).rejects.toMatchObject({
      ...refused,
      details: { pointers: ["/login/password"] },
    });
    expect((await scene.as("viewer").page("commands.list")).pagination.total).toBe(1);
  });

  test("with the secrets sends the same payload, and redacts it", async ({ scene }) => {
    const id = await scene.execute({ payload });
    await scene.cancel(id);
    const secrets = { "/pin": "hunter2-new", "/login/password": "hunter2-too" };
    const { command } = await retry(scene, id, { secrets });
    expect((await polled(scene))[0]?.payload).toEqual({
      file: "a.log",
      pin: "hunter2-new",
      login: { password: "hunter2-too" },
    });
    expect(await scene.get(command!.id)).toMatchObject({ payload: shown, withheld, retryOf: id });
    await scene.result(command!.id);
    expect(await storedText(scene)).not.toContain("hunter2");
  });

  test("changes only secret fields, and validates them", async ({ scene }) => {
    const id = await scene.execute({ payload });
    await scene.cancel(id);
    const secrets = { "/pin": "1", "/login/password": "2" };
    for (const strange of ["/file", "/login", "", "pin", "/constructor"]) {
      const body = { secrets: { ...secrets, [strange]: "b.log" } };
      await expectInvalid(retry(scene, id, body), `secrets.${strange}`);
    }
    await expectRefused(
      retry(scene, id, { secrets: { ...secrets, "/pin": 1 } }),
      "PAYLOAD_INVALID",
    );
  });

  test("of a command without secrets requires none", async ({ scene }) => {
    const id = await scene.execute({ payload: { file: "a.log" } });
    await scene.cancel(id);
    expect((await retry(scene, id)).command!.retryOf).toBe(id);
  });
});

describe("the fingerprint of a result", () => {
  const reported = { success: true, output: { generatedKey: "123456" } };
  const plain = createHash("sha256").update(canonicalJson(reported)).digest("hex");

  async function ended(scene: Scene): Promise<string> {
    const id = await scene.execute({ payload: { file: "a.log" } });
    await scene.poll();
    await scene.result(id, reported);
    return id;
  }

  test("is keyed, so the file alone does not reveal the result", async ({ scene }) => {
    const id = await ended(scene);
    expect(await storedText(scene)).not.toContain(plain);
    expect(await scene.result(id, reported)).toMatchObject({ duplicate: true });
    const other = { success: true, output: { generatedKey: "123457" } };
    await expectRefused(scene.result(id, other), "COMMAND_ALREADY_COMPLETED");
  });

  test("from an older version still detects a duplicate", async ({ scene }) => {
    const id = await ended(scene);
    await scene.database.write((tx) => tx.run("UPDATE command_results SET fingerprint = ?", plain));
    expect(await scene.result(id, reported)).toMatchObject({ duplicate: true });
  });
});
