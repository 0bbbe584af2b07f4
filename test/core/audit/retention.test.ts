// The oldest rows of the audit trail are deleted, and the rest verifies from a checkpoint.

import { describe, expect, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { pruneAuditEvents } from "../../../src/core/audit/retention.ts";
import { walkTrail } from "../../../src/store/audit/verification.ts";
import { openTestApp, type TestApp, testWorld } from "../../helpers/app.ts";
import { test } from "../scene.ts";
import { addRows, logged, tamper } from "./long-trail.ts";

function verify(app: TestApp, query = {}) {
  return app.as("viewer").call("audit-events.verify", { query });
}

/** Adds `old` rows before the returned time `before`, and `young` rows from that time on. */
async function agedTrail(old: number, young: number) {
  const app = openTestApp();
  await addRows(app, old);
  app.clock.advance(1000);
  const before = app.clock.now();
  await addRows(app, young);
  return { ...app, before };
}

async function numbers(app: TestApp): Promise<{ first: number; last: number; total: number }> {
  const query = { pageSize: 1 };
  const newest = await app.as("viewer").page("audit-events.list", { query });
  const { total } = newest.pagination;
  const oldest = await app
    .as("viewer")
    .page("audit-events.list", { query: { ...query, page: total } });
  return { first: oldest.data[0]!.seq, last: newest.data[0]!.seq, total };
}

test("older rows are deleted, and the rest verifies", async () => {
  const app = await agedTrail(505, 30);
  const { head } = await verify(app);
  const at = new Date(app.clock.now()).toISOString();
  expect(await pruneAuditEvents(app.app.core, app.before)).toBe(505);
  expect(await numbers(app)).toEqual({ first: 506, last: 536, total: 31 });
  const rest = { ok: true, checked: 31, firstSeq: 506, checkpoint: { seq: 505, at } };
  expect(await verify(app)).toMatchObject(rest);
  const [row] = await app.as("viewer").call("audit-events.list");
  expect(row).toMatchObject({
    action: "audit.pruned",
    actorType: "SYSTEM",
    metadata: { fromSeq: 1, upToSeq: 505, before: at },
  });

  // Any remaining row can be an anchor. A deleted row cannot be checked.
  const anchor = { anchorSeq: head!.seq, anchorHash: head!.hash };
  expect((await verify(app, anchor)).anchor).toEqual({ seq: 535, state: "FOUND" });
  const gone = { anchorSeq: 504, anchorHash: head!.hash };
  expect(await verify(app, gone)).toMatchObject({
    ok: true,
    anchor: { seq: 504, state: "PRUNED" },
  });
});

test("an anchor for the checkpoint's row is checked against the checkpoint", async () => {
  const app = await agedTrail(20, 5);
  const { head } = await verify(app);
  const { data } = await app.as("viewer").page("audit-events.list", { query: { pageSize: 6 } });
  const { hash: anchorHash } = data[5]!;
  expect(head!.seq).toBe(25);
  await pruneAuditEvents(app.app.core, app.before);
  expect(await verify(app, { anchorSeq: 20, anchorHash })).toMatchObject({
    ok: true,
    anchor: { state: "FOUND" },
  });
  expect(await verify(app, { anchorSeq: 20, anchorHash: head!.hash })).toMatchObject({
    ok: false,
    broken: { seq: 20, reason: "it is not the row that the anchor names" },
    anchor: { state: "MISSING" },
  });
});

test("a slow disk makes the transactions smaller, and one row records the whole run", async () => {
  const app = await agedTrail(180, 10);
  const { core } = app.app;
  let time = 0;
  const slow = { ...core, monotonic: () => (time += 2) };
  const writes = vi.spyOn(core.db, "write");
  expect(await pruneAuditEvents(slow, app.before)).toBe(180);
  // The clock is read after every 20 rows, and the third reading ends the transaction.
  expect(writes).toHaveBeenCalledTimes(3);
  writes.mockRestore();
  const pruned = await app.as("viewer").call("audit-events.list", {
    query: { action: "audit.pruned" },
  });
  expect(pruned).toMatchObject([{ metadata: { fromSeq: 1, upToSeq: 180 } }]);
  expect(await verify(app)).toMatchObject({ ok: true, firstSeq: 181 });
});

test("nothing is written if there is nothing to prune", async () => {
  const app = await agedTrail(0, 20);
  expect(await pruneAuditEvents(app.app.core, app.before)).toBe(0);
  expect(await pruneAuditEvents(openTestApp().app.core, app.before)).toBe(0);
  expect(await numbers(app)).toEqual({ first: 1, last: 20, total: 20 });
  expect(await verify(app)).toMatchObject({ checkpoint: null });
});

test("the newest row is kept, and the chain continues after it", async () => {
  const app = await agedTrail(50, 0);
  expect(await pruneAuditEvents(app.app.core, app.before)).toBe(49);
  expect(await numbers(app)).toEqual({ first: 50, last: 51, total: 2 });
  await addRows(app, 3);
  expect(await verify(app)).toMatchObject({ ok: true, checked: 5, firstSeq: 50 });
});

test("when the service stops, pruning ends after its transaction, and the next run continues", async () => {
  const app = await agedTrail(1100, 10);
  const { core } = app.app;
  const write = core.db.write.bind(core.db);
  const batches = vi.spyOn(core.db, "write").mockImplementation((work) => {
    if (batches.mock.calls.length === 2) app.app.beginToStop();
    return write(work);
  });
  const frozen = { ...core, monotonic: () => 0 };
  expect(await pruneAuditEvents(frozen, app.before)).toBe(1000);
  expect(batches).toHaveBeenCalledTimes(2);
  batches.mockRestore();
  expect(await numbers(app)).toMatchObject({ first: 1001 });
  const walked = await walkTrail(core.db.read, core.auditKey);
  expect(walked).toMatchObject({ broken: null, firstSeq: 1001 });
  const next = createApp(app.config, app, testWorld);
  expect(await pruneAuditEvents(next.core, app.before)).toBe(100);
});

test("repeated pruning keeps one checkpoint", async () => {
  const app = await agedTrail(30, 30);
  await pruneAuditEvents(app.app.core, app.before);
  app.clock.advance(1000);
  await addRows(app, 10);
  expect(await pruneAuditEvents(app.app.core, app.clock.now())).toBe(31);
  const rows = await app.database.read.all("SELECT seq FROM audit_checkpoints");
  expect(rows).toEqual([{ seq: 61 }]);
  expect(await verify(app)).toMatchObject({ ok: true, firstSeq: 62, checked: 11 });
});

test("two concurrent runs prune once", async () => {
  const app = await agedTrail(600, 10);
  const { core } = app.app;
  const pruned = await Promise.all([
    pruneAuditEvents(core, app.before),
    pruneAuditEvents(core, app.before),
  ]);
  expect(pruned.sort((a, b) => a - b)).toEqual([0, 600]);
  expect(
    await app.as("viewer").call("audit-events.list", { query: { action: "audit.*" } }),
  ).toHaveLength(1);
  expect(await verify(app)).toMatchObject({ ok: true, firstSeq: 601 });
});

test.for<[title: string, jumpMs: number, rowsAfter: number, pruned: number]>([
  ["back, rows dated too early are not deleted sooner", -1e10, 5, 15],
  ["forward, rows dated in the future do not keep other rows", 1e12, 5, 15],
  ["forward, rows dated in the future stay if no old rows follow", 1e12, 0, 5],
])("after a clock jump %s", async ([_, jumpMs, rowsAfter, pruned], { app }) => {
  const prune = () => pruneAuditEvents(app.app.core, app.clock.now() - 1000);
  await addRows(app, 5);
  app.clock.jump(jumpMs);
  await addRows(app, 5);
  app.clock.jump(-jumpMs);
  await addRows(app, rowsAfter);
  expect(await prune()).toBe(0);
  app.clock.advance(2000);
  await addRows(app, 1);
  expect(await prune()).toBe(pruned);
});

describe("pruning spares", () => {
  test("the first damaged row and all rows after it", async () => {
    const app = await agedTrail(100, 10);
    const errors = logged(app, "error");
    await tamper(app, "UPDATE audit_events SET message = 'x' WHERE seq = 50");
    expect(await pruneAuditEvents(app.app.core, app.before)).toBe(49);
    const stopped = { fields: { seq: 50 } };
    expect(errors).toMatchObject([stopped, { message: "the audit trail is damaged" }]);
    expect(await verify(app)).toMatchObject({ ok: false, checked: 0, broken: { seq: 50 } });
    expect(await pruneAuditEvents(app.app.core, app.before)).toBe(0);
    expect(errors).toMatchObject([{}, {}, stopped]);
  });

  test("all rows if a checkpoint is forged", async () => {
    const app = await agedTrail(100, 10);
    await tamper(
      app,
      "INSERT INTO audit_checkpoints SELECT seq, hash, 0, 'x' FROM audit_events WHERE seq = 90",
      "DELETE FROM audit_events WHERE seq <= 90",
    );
    // A genuine checkpoint after the gap would hide the gap.
    expect(await pruneAuditEvents(app.app.core, app.before)).toBe(0);
    expect(await numbers(app)).toEqual({ first: 91, last: 110, total: 20 });
  });
});

describe("tampering after pruning is found", () => {
  const wrongSignature = "the signature of the checkpoint is wrong";
  const deleted = (which: string) => `DELETE FROM audit_events${which}`;
  const changed = (change: string) => `UPDATE audit_checkpoints SET ${change}`;

  type Sql = string | ((signedHead: Record<string, string | number>) => string);

  test.each<[what: string, sql: Sql[], seq: number, reason: string]>([
    [
      "the rows after the checkpoint are deleted",
      [deleted(" WHERE seq <= 105")],
      106,
      "rows 101 to 105 are missing",
    ],
    [
      "all rows are deleted",
      [deleted("")],
      101,
      "the trail ends at row 100, before the rows that followed it",
    ],
    [
      "the checkpoint is deleted",
      ["DELETE FROM audit_checkpoints"],
      101,
      "rows 1 to 100 are missing",
    ],
    [
      "the checkpoint is moved, and the rows up to it are deleted",
      [
        changed("seq = 105, hash = (SELECT hash FROM audit_events WHERE seq = 105)"),
        deleted(" WHERE seq <= 105"),
      ],
      105,
      wrongSignature,
    ],
    [
      "a later checkpoint is forged",
      ["INSERT INTO audit_checkpoints SELECT 105, hash, at, signature FROM audit_checkpoints"],
      105,
      wrongSignature,
    ],
    ["the checkpoint has another time", [changed("at = at + 1")], 100, wrongSignature],
    [
      "the checkpoint is replaced by the signed head",
      [
        (head) => {
          const names = ["seq", "hash", "at", "signature"];
          return changed(names.map((name) => `${name} = '${head[name]}'`).join(", "));
        },
        deleted(" WHERE seq <= 111"),
      ],
      111,
      wrongSignature,
    ],
    [
      "a row is inserted before the checkpoint",
      [
        `INSERT INTO audit_events SELECT 7, id, at, actor_type, actor_id, actor_name, action,
           target_type, target_id, result, message, ip, user_agent, request_id, metadata, hash
         FROM audit_events WHERE seq = 105`,
      ],
      7,
      "it is before the beginning of the chain",
    ],
  ])("%s", async (_, sql, seq, reason) => {
    const app = await agedTrail(100, 10);
    await pruneAuditEvents(app.app.core, app.before);
    await addRows(app, 5);
    const { value } = (await app.database.read.get<{ value: string }>(
      "SELECT value FROM settings WHERE key = 'auditHead'",
    ))!;
    const head = JSON.parse(value);
    await tamper(app, ...sql.map((each) => (typeof each === "string" ? each : each(head))));
    // Only the file is verified here, without the service's memory.
    const { broken } = await walkTrail(app.database.read, app.app.core.auditKey);
    expect(broken).toMatchObject({ seq, reason });
  });
});
