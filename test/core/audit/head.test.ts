import { expect } from "vitest";
import { logAuditHead } from "../../../src/core/audit/signed-head.ts";
import { audit } from "../../../src/core/audit/trail.ts";
import { systemContext } from "../../../src/core/context.ts";
import { test } from "../scene.ts";
import { addRows, entry, logged } from "./long-trail.ts";

test("the head is logged every 1000 rows and at the stop", async ({ app }) => {
  const lines = logged(app, "info");
  const heads = () => lines.map(({ fields }) => (fields as { seq: number }).seq);
  await addRows(app, 999);
  expect(heads()).toEqual([]);
  await addRows(app, 11);
  expect(heads()).toEqual([1000]);
  await logAuditHead(app.app.core);
  expect(heads()).toEqual([1000, 1010]);
  await addRows(app, 999);
  expect(heads()).toHaveLength(2);
  await addRows(app, 1);
  expect(heads()).toEqual([1000, 1010, 2010]);
  await app.app.noteStopped();
  expect(heads()).toEqual([1000, 1010, 2010, 2011]);

  expect(lines.every(({ message }) => message === "audit head")).toBe(true);
  const { head } = await app.as("viewer").call("audit-events.verify");
  expect(lines.at(-1)!.fields).toEqual(head);
});

test("the head of a failed change is not logged", async ({ app }) => {
  await addRows(app, 1);
  const { core } = app.app;
  const failing = core.db.write(async (tx) => {
    await audit(systemContext(core), tx, entry);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(core.auditHead.newest?.seq).toBe(1);
});
