// Verification finds any change to the audit trail. An anchor reveals changes that the file alone
// cannot show.

import { createSecretKey } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, vi } from "vitest";
import { pruneAuditEvents } from "../../../src/core/audit/retention.ts";
import { signAuditHead } from "../../../src/core/audit/signed-head.ts";
import { verifyAuditEvents } from "../../../src/core/audit/verification.ts";
import { systemContext } from "../../../src/core/context.ts";
import type { ChainLink } from "../../../src/domain/audit/audit-events.ts";
import { jobTable } from "../../../src/jobs/index.ts";
import { walkTrail } from "../../../src/store/audit/verification.ts";
import type { Reader } from "../../../src/store/database.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { test as base } from "../scene.ts";
import { asAnother, restarted } from "./another-process.ts";
import { addRows, logged, tamper } from "./long-trail.ts";

const test = base.extend("longTrail", () => longTrail());

/** More rows than one read returns. */
const length = 130;

async function longTrail(): Promise<TestApp> {
  const app = openTestApp();
  await addRows(app, length);
  return app;
}

type Query = { anchorSeq?: number; anchorHash?: string };

function verify(app: TestApp, query: Query = {}) {
  return app.as("viewer").call("audit-events.verify", { query });
}

/** Verifies as another process, which has no memory of the trail. */
function verifyAfresh(app: TestApp, anchor: ChainLink | null = null) {
  const request = { anchor, incremental: false };
  return verifyAuditEvents(systemContext(restarted(app)), request);
}

function anchorOf({ seq: anchorSeq, hash: anchorHash }: ChainLink): Required<Query> {
  return { anchorSeq, anchorHash };
}

function cutBehind(app: TestApp, seq: number): Promise<void> {
  return tamper(app, `DELETE FROM audit_events WHERE seq > ${seq}`);
}

test("an intact trail verifies, and its head is an anchor", async ({ longTrail: app }) => {
  const found = await verify(app);
  expect(found).toEqual({
    ok: true,
    checked: length,
    firstSeq: 1,
    lastSeq: length,
    head: { seq: length, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    checkpoint: null,
    since: null,
    anchor: null,
    broken: null,
    acceptedLoss: null,
    restores: [],
  });
  await addRows(app, 5);
  expect(await verify(app, anchorOf(found.head!))).toMatchObject({
    ok: true,
    checked: length + 5,
    anchor: { seq: length, state: "FOUND" },
  });
});

test("an empty trail verifies", async () => {
  const found = { ok: true, checked: 0, firstSeq: null, lastSeq: null, head: null };
  expect(await verify(openTestApp())).toMatchObject(found);
});

describe("a row", () => {
  /** Returns an SQL expression, valid in both engines, for 20,000 copies of a character. */
  const many = (character: string) =>
    `replace(${"replace(".repeat(2)}'aaaaaaaaaa', 'a', 'bbbbbbbbbb'), 'b', 'cccccccccc'), 'c', '${character.repeat(20)}')`;
  const noHash = "its hash does not match the previous row, its content and the key";
  const changes = [
    "message = 'becausf'",
    `at = ${2n ** 60n}`,
    "metadata = 'no JSON'",
    `metadata = '{"a":' || ${many("[")} || ${many("]")} || '}'`,
    "hash = 'x'",
  ];
  const copied = (from: number, to: string) =>
    `INSERT INTO audit_events SELECT ${to}, id, at, actor_type, actor_id, actor_name, action,
       target_type, target_id, result, message, ip, user_agent, request_id, metadata, hash
     FROM audit_events WHERE seq = ${from}`;

  const deleted = (which: string) => `DELETE FROM audit_events WHERE seq ${which}`;
  const renumbered = (seq: string, which: string) =>
    `UPDATE audit_events SET seq = ${seq} WHERE seq ${which}`;

  test.for<[what: string, sql: string[], checked: number, seq: number, reason: string]>([
    ...changes.map((change): [string, string[], number, number, string] => [
      "changed",
      [`UPDATE audit_events SET ${change} WHERE seq = 110`],
      109,
      110,
      noHash,
    ]),
    ["deleted", [deleted("= 110")], 109, 111, "row 110 is missing"],
    [
      "deleted and its gap closed",
      [deleted("= 110"), renumbered("-seq", "> 110"), renumbered("-seq - 1", "< 0")],
      109,
      110,
      noHash,
    ],
    [
      "swapped with the next",
      [renumbered("0", "= 110"), renumbered("110", "= 111"), renumbered("111", "= 0")],
      109,
      110,
      noHash,
    ],
    [
      "inserted before the first",
      [copied(9, "-7")],
      0,
      -7,
      "it is before the beginning of the chain",
    ],
    ["added at the end", [copied(9, "131")], length, 131, noHash],
    [
      "added far after the end",
      [copied(9, String(2 ** 50))],
      length,
      2 ** 50,
      `rows 131 to ${2 ** 50 - 1} are missing`,
    ],
  ])("is found if it was %s: %j", async ([_, sql, checked, seq, reason], { longTrail: app }) => {
    await tamper(app, ...sql);
    expect(await verifyAfresh(app)).toMatchObject({ ok: false, checked, broken: { seq, reason } });
  });

  test("that was changed is reported once in the trail, the log and the health", async ({
    app,
  }) => {
    await addRows(app, 9);
    const errors = logged(app, "error");
    const state = async () => {
      const { database } = await app.as("viewer").call("system.health");
      const damaged = await app.as("viewer").call("audit-events.list", {
        query: { action: "audit.damaged" },
      });
      return [database.reason ?? null, damaged.length, errors.length];
    };
    const [fifth] = await app.as("viewer").call("audit-events.list", { query: { afterSeq: 4 } });
    await verify(app, { anchorSeq: 3, anchorHash: "0".repeat(64) });
    // Any caller can send a wrong anchor, so a mismatch is not recorded.
    expect(await state()).toEqual([null, 0, 0]);
    await tamper(app, "UPDATE audit_events SET message = 'x' WHERE seq = 5");
    for (let i = 0; i < 2; i++) {
      await verify(app);
      expect(await state()).toEqual(["AUDIT_BROKEN", 1, 1]);
    }
    expect(await app.as("viewer").call("overview.get")).toMatchObject({ auditBroken: true });
    await tamper(app, `UPDATE audit_events SET message = '${fifth!.message}' WHERE seq = 5`);
    expect(await verify(app)).toMatchObject({ ok: true });
    expect(await state()).toEqual([null, 1, 1]);
  });

  test("that was changed does not prevent the trail from being listed", async ({ app }) => {
    await addRows(app, 3);
    await tamper(app, "UPDATE audit_events SET metadata = 'no JSON' WHERE seq = 2");
    const [, second] = await app.as("viewer").call("audit-events.list");
    expect(second!.metadata).toEqual({ unreadable: "no JSON" });
  });
});

describe("rows deleted at the end", () => {
  const cut = { seq: 121, reason: expect.stringContaining("the trail ends at row 120, before") };

  test("are noticed by the service that wrote them", async ({ longTrail: app }) => {
    await cutBehind(app, 120);
    expect(await verify(app)).toMatchObject({ ok: false, checked: 120, broken: cut });
  });

  test("are noticed after more were written", async ({ longTrail: app }) => {
    const errors = logged(app, "error");
    await cutBehind(app, 120);
    await addRows(app, 30);
    const reason = "it is not the row that the service's own record names";
    expect(await verify(app)).toMatchObject({ ok: false, broken: { seq: length, reason } });
    expect(errors.map(({ message }) => message)).toEqual([
      "rows of the audit trail are gone",
      "the audit trail is damaged",
    ]);
  });

  test("are noticed by all once the head is signed", async ({ longTrail: app }) => {
    await signAuditHead(app.app.core);
    expect(await verifyAfresh(app)).toMatchObject({ ok: true });
    await cutBehind(app, 120);
    expect(await verifyAfresh(app)).toMatchObject({ ok: false, broken: cut });
  });

  test("are noticed when no row remains", async ({ longTrail: app }) => {
    await signAuditHead(app.app.core);
    await cutBehind(app, 0);
    const reason =
      "the trail has no rows left, before row 130, which was signed as the trail's head";
    const found = { ok: false, checked: 0, head: null, broken: { seq: 1, reason } };
    expect(await verifyAfresh(app)).toMatchObject(found);
  });

  test("are noticed with an anchor", async ({ longTrail: app }) => {
    const head = app.app.core.auditHead.newest!;
    await cutBehind(app, 120);
    expect(await verifyAfresh(app)).toMatchObject({ ok: true });
    const found = { ok: false, broken: cut, anchor: { seq: length, state: "MISSING" } };
    expect(await verifyAfresh(app, head)).toMatchObject(found);
    expect(await verify(app, anchorOf(head))).toMatchObject(found);
    // The loss is also noticed when other rows have replaced the deleted ones.
    await addRows(asAnother(app), 20);
    const broken = { seq: length, reason: "it is not the row that the anchor names" };
    expect(await verifyAfresh(app, head)).toMatchObject({ ok: false, broken });
  });
});

describe("the signed head", () => {
  const started = async () => {
    const app = openTestApp();
    await app.app.noteStarted();
    await addRows(app, 50);
    await signAuditHead(app.app.core);
    return app;
  };

  test("must exist after the service has started", async () => {
    const app = await started();
    await tamper(app, "DELETE FROM settings WHERE key = 'auditHead'");
    expect(await verifyAfresh(app)).toMatchObject({
      ok: false,
      broken: { seq: 52, reason: "the signed head of the trail is missing" },
    });
  });

  test.each([`value = replace(value, '"hash":"', '"hash":"0')`, "value = '7'"])(
    "must be genuine: %s",
    async (change) => {
      const app = await started();
      await tamper(app, `UPDATE settings SET ${change} WHERE key = 'auditHead'`);
      const reason = "the signature of the trail's head is wrong";
      const found = await verifyAfresh(app);
      expect(found).toMatchObject({ ok: false, broken: { reason } });
    },
  );

  test("is not renewed if rows are missing, which is audited", async () => {
    const app = await started();
    await tamper(app, "DELETE FROM audit_events WHERE seq > 40");
    const next = asAnother(app);
    await addRows(next, 5);
    await signAuditHead(next.app.core);
    const reason = (lastSeq: number) =>
      `the trail ends at row ${lastSeq}, before row 51, which was signed as the trail's head`;
    const [damaged] = await app.as("viewer").call("audit-events.list");
    expect(damaged).toMatchObject({
      action: "audit.damaged",
      result: "FAILURE",
      message: expect.stringContaining(`does not match what was written: row 46: ${reason(45)}.`),
    });
    // The damage is reported once, however often it is found.
    await addRows(next, 1);
    await signAuditHead(next.app.core);
    const found = { ok: false, broken: { seq: 48, reason: reason(47) } };
    expect(await verifyAfresh(app)).toMatchObject(found);
    await app.app.noteStopped();
    const [stopped] = await app.as("viewer").call("audit-events.list");
    expect(stopped).toMatchObject({
      action: "system.stopped",
      message: `Audit trail, row 48: ${reason(47)}.`,
    });
  });

  test("does not match rows that replaced deleted rows", async () => {
    const app = await started();
    await tamper(app, "DELETE FROM audit_events WHERE seq > 40");
    const another = asAnother(app);
    await addRows(another, 20);
    await signAuditHead(another.app.core);
    const broken = { seq: 51, reason: "it is not the row that was signed as the trail's head" };
    expect(await verifyAfresh(app)).toMatchObject({ ok: false, checked: 61, broken });
  });

  test("if missing, is written again at the next start, and this is reported", async () => {
    const app = await started();
    await tamper(app, "DELETE FROM settings WHERE key = 'auditHead'");
    await app.app.noteStarted();
    const [row] = await app.as("viewer").call("audit-events.list");
    expect(row!.message).toBe("Audit trail, row 52: the signed head of the trail is missing.");
    expect(await verifyAfresh(app)).toMatchObject({ ok: true });
  });

  test("exists from the first row on", async ({ app }) => {
    await addRows(app, 1);
    await tamper(app, "DELETE FROM audit_events");
    const reason = "the trail has no rows left, before row 1, which was signed as the trail's head";
    expect(await verifyAfresh(app)).toMatchObject({ ok: false, broken: { seq: 1, reason } });
  });

  test("is signed only if there are new rows", async () => {
    const app = await started();
    const { core } = app.app;
    const writes = vi.spyOn(core.db, "write");
    await signAuditHead(core);
    expect(writes).toHaveBeenCalledTimes(0);
    await addRows(app, 1);
    await signAuditHead(core);
    expect(writes).toHaveBeenCalledTimes(2);
  });
});

test("a copy of the head that cannot be written is warned about, with its file", async ({
  app,
}) => {
  await app.app.noteStarted();
  await addRows(app, 1);
  const file = app.app.core.auditHeadFile;
  mkdirSync(`${file}.${process.pid}.new`);
  const warnings = logged(app, "warn");
  await app.app.noteStopped();
  const message = `the audit trail's head could not be copied to ${file}`;
  expect(warnings.map((warning) => warning.message)).toContain(message);
});

describe("a trail that was emptied together with its signed head", () => {
  const emptied = [
    "DELETE FROM audit_events",
    "DELETE FROM audit_checkpoints",
    "DELETE FROM settings WHERE key = 'auditHead'",
  ];

  async function stopped(): Promise<TestApp> {
    const app = openTestApp();
    await app.app.noteStarted();
    await app.as("operator").call("registration-tokens.create", { body: {} });
    await app.app.noteStopped();
    return app;
  }

  const headFile = ({ app }: TestApp) => app.core.auditHeadFile;
  const missing = "the signed head of the trail is missing";
  const inCopy = (app: TestApp) => `in ${basename(headFile(app))}`;
  const gone = (app: TestApp, seq: number) =>
    `the trail has no rows left, before row ${seq}, which was signed as the trail's head ${inCopy(app)}`;

  test("is found through the copy of the head", async () => {
    const app = await stopped();
    await tamper(app, ...emptied);
    const found = { ok: false, checked: 0, broken: { seq: 1, reason: gone(app, 3) } };
    expect(await verifyAfresh(app)).toMatchObject(found);
  });

  test("is found without the copy if the database contains anything else", async () => {
    const app = await stopped();
    rmSync(headFile(app));
    await tamper(app, ...emptied);
    const found = (seq: number) => ({ ok: false, broken: { seq, reason: missing } });
    expect(await verifyAfresh(app)).toMatchObject(found(1));
    // New rows do not hide the change.
    await addRows(asAnother(app), 3);
    expect(await verifyAfresh(app)).toMatchObject(found(4));
  });

  test("is reported at the next start and found afterwards", async () => {
    const app = await stopped();
    await tamper(app, ...emptied);
    const next = openTestApp({ DATA_DIR: dirname(app.file) });
    await next.app.noteStarted();
    const [row] = await next.as("viewer").call("audit-events.list");
    expect(row!.message).toBe(`Audit trail, row 1: ${gone(app, 3)}.`);
    await addRows(next, 20);
    await signAuditHead(next.app.core);
    await next.app.noteStopped();
    const reason = `it is not the row that was signed as the trail's head ${inCopy(app)}`;
    const found = { ok: false, broken: { seq: 3, reason } };
    expect(await verify(next)).toMatchObject(found);
    expect(await verifyAfresh(next)).toMatchObject(found);
  });

  test("is audited if the service is running", async ({ app }) => {
    await app.app.noteStarted();
    await addRows(app, 5);
    await signAuditHead(app.app.core);
    rmSync(headFile(app));
    await tamper(app, ...emptied);
    const errors = logged(app, "error");
    await signAuditHead(app.app.core);
    const damaged = async () => {
      const query = { action: "audit.damaged" };
      return (await app.as("viewer").call("audit-events.list", { query })).map(
        (row) => row.message,
      );
    };
    const told = [expect.stringContaining("row 6, which this service wrote, is gone.")];
    expect(await damaged()).toEqual(told);
    expect(errors.map(({ message }) => message)).toContain("rows of the audit trail are gone");
    await signAuditHead(app.app.core);
    expect(await damaged()).toEqual(told);
    expect(await verify(app)).toMatchObject({ ok: false });
    // A second deletion is reported as well.
    await addRows(app, 1);
    await tamper(app, "DELETE FROM audit_events WHERE seq > 1");
    await signAuditHead(app.app.core);
    expect(await damaged()).toContainEqual(
      expect.stringContaining("row 2, which this service wrote, is gone."),
    );
  });

  test("deleted rows with an older signed head are found", async ({ app }) => {
    await app.app.noteStarted();
    const { value } = (await app.database.read.get<{ value: string }>(
      "SELECT value FROM settings WHERE key = 'auditHead'",
    ))!;
    await addRows(app, 50);
    await app.app.noteStopped();
    await tamper(
      app,
      "DELETE FROM audit_events WHERE seq > 1",
      `UPDATE settings SET value = '${value}' WHERE key = 'auditHead'`,
    );
    const reason = `the trail ends at row 1, before row 52, which was signed as the trail's head ${inCopy(app)}`;
    expect(await verifyAfresh(app)).toMatchObject({ ok: false, broken: { seq: 2, reason } });
  });

  test.each(["", '{"seq":1,"hash":"x","at":1,"signature":"x"}'])(
    "an invalid copy is found: %j",
    async (text) => {
      const app = await stopped();
      writeFileSync(headFile(app), text);
      const reason = `the signature of the trail's head ${inCopy(app)} is wrong`;
      expect(await verifyAfresh(app)).toMatchObject({ ok: false, broken: { reason } });
    },
  );

  test("an old copy of the head does not make pruned rows count as missing", async ({ app }) => {
    await app.app.noteStarted();
    await addRows(app, 50);
    app.clock.advance(200);
    await addRows(app, 1);
    expect(await pruneAuditEvents(app.app.core, app.clock.now())).toBe(51);
    expect(await verifyAfresh(app)).toMatchObject({ ok: true });
  });

  test("the copy of the head follows the trail, and is private", async ({ app }) => {
    const seq = () => JSON.parse(readFileSync(headFile(app), "utf8")).seq;
    await app.app.noteStarted();
    expect(seq()).toBe(1);
    expect(statSync(headFile(app)).mode & 0o777).toBe(0o600);
    const job = jobTable().find(({ name }) => name === "copy-audit-head")!;
    await addRows(app, 10);
    await job.run(app.app.core);
    // The rows are not signed yet.
    expect(seq()).toBe(1);
    await signAuditHead(app.app.core);
    await job.run(app.app.core);
    expect(seq()).toBe(11);
    // Another process on the file does not change the result.
    await addRows(asAnother(app), 5);
    expect(await verifyAfresh(app)).toMatchObject({ ok: true });
    expect(readdirSync(dirname(app.file)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });
});

test("an anchor must have a row number and a hash", async ({ app }) => {
  const anchorHash = "0".repeat(64);
  for (const query of [
    ...[{ anchorSeq: 1 }, { anchorHash }],
    ...[
      { anchorSeq: 1, anchorHash: "x" },
      { anchorSeq: 0, anchorHash },
    ],
  ]) {
    await expectRefused(verify(app, query), "VALIDATION_FAILED");
  }
});

test("no row matches with another key", async ({ longTrail: app }) => {
  const { db } = app.app.core;
  const found = await walkTrail(db.read, createSecretKey(Buffer.alloc(32, 7)));
  expect(found).toMatchObject({ checked: 0, broken: { seq: 1 } });
});

/** Returns a reader of the app's rows that runs `act` before its second reading of several rows. */
function meanwhile({ app }: TestApp, act: () => Promise<unknown>): Reader {
  const { read } = app.core.db;
  let batches = 0;
  return {
    get: read.get,
    async all(sql, ...params) {
      if (++batches === 2) await act();
      return read.all(sql, ...params);
    },
  };
}

test("rows written during a walk are not read", async ({ longTrail: app }) => {
  const { auditKey } = app.app.core;
  const found = await walkTrail(
    meanwhile(app, () => addRows(app, 10)),
    auditKey,
  );
  expect(found).toMatchObject({ broken: null, checked: length, lastSeq: length });
});

test("rows pruned during a walk do not count as missing", async ({ app }) => {
  await addRows(app, 300);
  app.clock.advance(1000);
  const before = app.clock.now();
  await addRows(app, 100);
  const { core } = app.app;
  const whilePruned = meanwhile(app, () => pruneAuditEvents(core, before));
  const found = await walkTrail(whilePruned, core.auditKey);
  expect(found).toMatchObject({ broken: null, firstSeq: 301, checked: 101 });
});

test("rows deleted at the end during a walk are noticed", async ({ longTrail: app }) => {
  const whileCut = meanwhile(app, () => cutBehind(app, 110));
  const found = await walkTrail(whileCut, app.app.core.auditKey);
  const reason = "the trail ends at row 110, before rows that it once contained";
  expect(found).toMatchObject({ checked: 110, broken: { seq: 111, reason } });
});

test("a verification does not block the event loop", async ({ app }) => {
  await addRows(app, 500);
  let turns = 0;
  let turning = true;
  const turn = () => {
    turns++;
    if (turning) setImmediate(turn);
  };
  setImmediate(turn);
  await verify(app);
  turning = false;
  // Each turn of the event loop reads at most about a hundred rows.
  expect(turns).toBeGreaterThan(4);
});
