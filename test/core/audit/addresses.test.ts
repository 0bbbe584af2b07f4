// Everybody can read the audit trail. Only owners see the addresses of other callers, and nobody
// sees the content of users' own views.

import { text as textOf } from "node:stream/consumers";
import { describe, expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import { watch } from "../../helpers/process/watcher.ts";
import { addUser, minute, signIn } from "../access/people.ts";
import { type Scene, test } from "../scene.ts";

const address = "203.0.113.77";

/** The test's own calls come from 127.0.0.1. */
const places = /203\.0\.113|127\.0\.0\.1|"test"/;

async function exported(by: Client, format: "json" | "jsonl" | "csv"): Promise<string> {
  const { chunks } = await by.download("audit-events.export", { query: { format } });
  return textOf(chunks);
}

/** Signs in so often that some sign-ins are summarized by network. */
async function signInOften(scene: Scene): Promise<void> {
  await addUser(scene, "ada");
  for (let at = 0; at < 25; at++) await signIn(scene, "ada", { ip: address });
  scene.clock.advance(minute + 1);
  await writeAuditSums(scene.app.core);
}

test("lists, exports and the live stream show addresses to owners only", async ({ scene }) => {
  await signInOften(scene);
  for (const role of ["operator", "owner"] as const) {
    const by = scene.as(role);
    const rows = await by.call("audit-events.list", { query: { pageSize: 200 } });
    expect(rows.some(({ metadata }) => "summed" in metadata)).toBe(true);
    const texts = [JSON.stringify(rows)];
    for (const format of ["json", "jsonl", "csv"] as const) texts.push(await exported(by, format));
    for (const text of texts) {
      expect(text).toContain("session.login.succeeded");
      expect(places.test(text)).toBe(role === "owner");
    }
    const body = { name: "a key", role } as const;
    const { core } = scene.app;
    const { key } = await scene.as("owner").call("api-keys.create", { body });
    const principal = await core.credentials.apiKey(key);
    const watcher = await watch(core, { types: ["audit"], principal });
    await scene.execute({}, { queue: true });
    const told = await watcher.until("audit", ({ action }) => action === "command.created");
    expect(told).toMatchObject(
      role === "owner" ? { ip: "127.0.0.1", userAgent: "test" } : { ip: null, userAgent: null },
    );
  }
});

describe("rows about a user's own view", () => {
  const own = {
    name: "secret plans",
    noun: "agents",
    query: { q: "secret-host" },
    shared: false,
  } as const;

  test("have neither its name nor its query", async ({ scene }) => {
    const { id: userId } = await addUser(scene, "ada", "operator");
    const principal = {
      kind: "user",
      userId,
      username: "ada",
      role: "operator",
      sessionId: "x",
    } as const;
    const ada = scene.asPrincipal(principal);
    const { id: viewId } = await ada.call("saved-views.create", { body: own });
    const params = { viewId };
    const update = (body: object) =>
      ada.call("saved-views.update", { params, body: { ...own, ...body } as never });
    await update({ version: 1, query: { q: "secret-other" } });
    await update({ version: 2, shared: true, name: "plans", query: {} });
    await update({ version: 3, name: "secret again" });
    await ada.call("saved-views.delete", { params });
    const rows = await scene.trail({ targetId: viewId });
    expect(rows.map(({ action, metadata }) => [action, metadata]).reverse()).toEqual([
      ["saved_view.created", { shared: false }],
      ["saved_view.updated", { changes: {} }],
      ["saved_view.updated", { name: "plans", changes: { shared: { from: false, to: true } } }],
      ["saved_view.updated", { changes: { shared: { from: true, to: false } } }],
      ["saved_view.deleted", { shared: false }],
    ]);
    expect(JSON.stringify(await scene.trail({ pageSize: 200 }))).not.toContain("secret");
  });
});
