// Secrets that were stored before migration 0006 are hidden immediately, and deleted by a sweep.

import { hash } from "node:crypto";
import { test as base, expect } from "vitest";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { everyRow } from "../../helpers/stored.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("scene", () => openOld());

const inputSchema = { properties: { pin: { type: "string", writeOnly: true } } };
const payload = { file: "a.log", pin: "hunter2-pin", password: "hunter2-word" };
const shown = { file: "a.log", pin: "[REDACTED]", password: "[REDACTED]" };
const reported = { success: true, output: { generatedKey: "123456" } };
const plain = hash("sha256", canonicalJson(reported), "hex");

/** Stores an ended and a pending command as old versions did. */
async function openOld(): Promise<Scene & { ended: string; open: string }> {
  const scene = await openScene({}, [{ ...collector, actions: [{ name: "rotate", inputSchema }] }]);
  const ended = await scene.execute({ payload });
  await scene.poll();
  await scene.result(ended, reported);
  const open = await scene.execute({ payload });
  await scene.database.write(async (tx) => {
    const old = "UPDATE commands SET payload = ?, withheld = NULL, secrets = NULL";
    await tx.run(old, JSON.stringify(payload));
    await tx.run("UPDATE command_results SET fingerprint = ?", plain);
  });
  return { ...scene, ended, open };
}

async function storedText({ database }: Scene, id: string): Promise<string> {
  const row = await database.read.get("SELECT * FROM commands WHERE id = ?", id);
  const result = await database.read.all("SELECT * FROM command_results WHERE command_id = ?", id);
  return JSON.stringify([row, result]);
}

test("before the cleanup, likely secrets are redacted", async ({ scene }) => {
  for (const id of [scene.ended, scene.open]) {
    expect(await scene.get(id)).toMatchObject({
      payload: { ...payload, password: "[REDACTED]" },
      withheld: ["/password"],
    });
  }
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands).toMatchObject([{ id: scene.open, payload }]);
});

test("a sweep removes likely secrets, and those that the current schema declares", async ({
  scene,
}) => {
  await sweep(scene.app.core);
  for (const id of [scene.ended, scene.open]) {
    expect(await scene.get(id)).toMatchObject({ payload: shown, withheld: ["/pin", "/password"] });
  }
  const stored = await storedText(scene, scene.ended);
  expect(stored).not.toContain("hunter2");
  expect(stored).not.toContain(plain);
  // The open command must still be delivered.
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands).toMatchObject([{ id: scene.open, payload }]);
  await scene.result(scene.open);
  expect(await storedText(scene, scene.open)).not.toContain("hunter2");
  expect(await scene.result(scene.ended, reported)).toMatchObject({ duplicate: true });
});

test("a command that ends before the cleanup is cleaned", async ({ scene }) => {
  await scene.cancel(scene.open);
  await sweep(scene.app.core);
  expect(await storedText(scene, scene.open)).not.toContain("hunter2");
});

test("a sweep without old secrets writes nothing", async ({ scene }) => {
  await sweep(scene.app.core);
  const before = await everyRow(scene);
  const wrote = scene.watchWrites();
  await sweep(scene.app.core);
  // On PostgreSQL, transactions that change nothing count as well.
  if (scene.database.engine === "sqlite") expect(wrote()).toBe(false);
  expect(await everyRow(scene)).toEqual(before);
});
