// An incremental verification reads only the rows after the end of the last verification. That
// place is signed, so only the service can move it.

import { createHmac } from "node:crypto";
import { describe, expect, vi } from "vitest";
import { pruneAuditEvents } from "../../../src/core/audit/retention.ts";
import { signAuditHead } from "../../../src/core/audit/signed-head.ts";
import { verifyAuditEvents } from "../../../src/core/audit/verification.ts";
import { systemContext } from "../../../src/core/context.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { walkTrail } from "../../../src/store/audit/verification.ts";
import type { Reader } from "../../../src/store/database.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { test as base } from "../scene.ts";
import { asAnother, restarted } from "./another-process.ts";
import { addRows, logged, tamper } from "./long-trail.ts";

const test = base.extend("verified", () => verifiedTrail());

const length = 40;
const newRows = 12;

/** A trail that was verified completely, with more rows since then. */
async function verifiedTrail() {
  const app = openTestApp();
  const times = [app.clock.now()];
  await addRows(app, length);
  await verify(app);
  app.clock.advance(60_000);
  times.push(app.clock.now());
  await addRows(app, newRows);
  return { ...app, times: times.map((at) => new Date(at).toISOString()) };
}

type Query = { anchorSeq?: number; anchorHash?: string; incremental?: boolean };

function verify(app: TestApp, query: Query = {}) {
  return app.as("viewer").call("audit-events.verify", { query });
}

const continued = (app: TestApp, query: Query = {}) => verify(app, { ...query, incremental: true });

/** Verifies as another process, which has no memory of the trail. */
function verifyAfresh(app: TestApp, incremental: boolean) {
  return verifyAuditEvents(systemContext(restarted(app)), { anchor: null, incremental });
}

interface Stored {
  seq: number;
  hash: string;
  at: number;
  fullAt?: number;
  signature: string;
}

async function setting(app: TestApp, name = "auditVerified"): Promise<Stored> {
  const query = `SELECT value FROM settings WHERE key = '${name}'`;
  return JSON.parse((await app.database.read.get<{ value: string }>(query))!.value);
}

function store(app: TestApp, place: unknown): Promise<void> {
  const value = JSON.stringify(place).replaceAll("'", "''");
  return tamper(app, `UPDATE settings SET value = '${value}' WHERE key = 'auditVerified'`);
}

function hashOf(app: TestApp, seq: number): Promise<{ hash: string } | undefined> {
  return app.database.read.get(`SELECT hash FROM audit_events WHERE seq = ${seq}`);
}

const whole = (rows: number) => ({ ok: true, since: null, firstSeq: 1, checked: rows });

test("without an earlier verification, it reads the whole trail", async ({ app }) => {
  await addRows(app, 40);
  expect(await continued(app)).toMatchObject(whole(40));
  await addRows(app, 2);
  expect(await continued(app)).toMatchObject({ ok: true, since: { seq: 40 }, checked: 2 });
});

test("it continues from the last one, which may have been incremental", async ({ verified }) => {
  const [first, second] = verified.times;
  expect(await continued(verified)).toMatchObject({
    ok: true,
    since: { seq: length, at: first, fullAt: first },
    firstSeq: length + 1,
    lastSeq: length + newRows,
    checked: newRows,
  });
  await addRows(verified, 5);
  expect(await continued(verified)).toMatchObject({
    since: { seq: length + newRows, at: second, fullAt: first },
    checked: 5,
  });
  // By default, a verification reads the whole trail.
  const rows = length + newRows + 5;
  expect(await verify(verified)).toMatchObject(whole(rows));
  const nothing = { ok: true, since: { seq: rows }, checked: 0, firstSeq: null };
  expect(await continued(verified)).toMatchObject(nothing);
  await addRows(verified, 1);
  const now = { at: second, fullAt: second };
  expect(await continued(verified)).toMatchObject({ since: now, checked: 1 });
});

test("a changed row is found if it is newer than the last verification", async ({ verified }) => {
  await tamper(verified, `UPDATE audit_events SET message = 'x' WHERE seq = ${length + 2}`);
  const found = { ok: false, checked: 1, broken: { seq: length + 2 } };
  expect(await continued(verified)).toMatchObject(found);
  // The stored place does not move, so the row is found again.
  expect((await setting(verified)).seq).toBe(length);
  expect(await continued(verified)).toMatchObject(found);
});

test("a changed row is found only by default if it is older", async ({ verified }) => {
  await tamper(verified, "UPDATE audit_events SET message = 'x' WHERE seq = 9");
  expect(await continued(verified)).toMatchObject({ ok: true });
  expect(await verify(verified)).toMatchObject({ ok: false, broken: { seq: 9 } });
});

test.for([
  ["DELETE FROM audit_events WHERE seq <= 9", 10, "rows 1 to 9 are missing"],
  ["UPDATE audit_events SET seq = 0 WHERE seq = 9", 0, "it is before the beginning of the chain"],
] as const)(
  "the beginning of the trail is checked: %s",
  async ([sql, seq, reason], { verified }) => {
    await tamper(verified, sql);
    const found = { ok: false, checked: 0, broken: { seq, reason } };
    expect(await continued(verified)).toMatchObject(found);
  },
);

describe("someone without the key", () => {
  const forgeries: Record<string, (app: TestApp) => Promise<unknown>> = {
    "moves the place to another row": async (app) => ({
      ...(await setting(app)),
      seq: length + 9,
      ...(await hashOf(app, length + 9)),
    }),
    "changes the time of the last complete verification": async (app) => ({
      ...(await setting(app)),
      fullAt: app.clock.now() + 1,
    }),
    // The head is signed every second, even without a verification.
    "uses the signed head": async (app) => {
      await signAuditHead(app.app.core);
      const head = await setting(app, "auditHead");
      expect(head.seq).toBe(length + newRows);
      return { ...head, fullAt: head.at };
    },
    "signs with another key": async (app) => {
      const { signature: _, ...place } = await setting(app);
      const text = canonicalJson({ purpose: "verified", ...place });
      return { ...place, signature: createHmac("sha256", "x").update(text).digest("hex") };
    },
    "stores null": async () => null,
    "stores a list": async () => [[["x"]]],
  };

  test("gains nothing by a forged place", async ({ verified }) => {
    const rows = length + newRows;
    for (const [how, forge] of Object.entries(forgeries)) {
      await store(verified, await forge(verified));
      expect(await continued(verified), how).toMatchObject(whole(rows));
      expect((await setting(verified)).seq, how).toBe(rows);
    }
  });

  test("can only make the verification longer", async ({ verified }) => {
    const older = await setting(verified);
    await continued(verified);
    await store(verified, older);
    expect(await continued(verified)).toMatchObject({ since: { seq: length }, checked: newRows });
    await tamper(verified, "DELETE FROM settings WHERE key = 'auditVerified'");
    expect(await continued(verified)).toMatchObject(whole(length + newRows));
  });
});

test("the signature covers the place, its times and its purpose", async ({ verified }) => {
  const { signature, ...place } = await setting(verified);
  const text = canonicalJson({ purpose: "verified", ...place });
  expect(Object.keys(place).sort()).toEqual(["at", "fullAt", "hash", "seq"]);
  expect(signature).toBe(
    createHmac("sha256", verified.app.core.auditKey).update(text).digest("hex"),
  );
});

describe("the trail must still contain the verified row", () => {
  const gone = (last: number) =>
    `the trail ends at row ${last}, before row ${length}, which was signed as the end of an earlier verification`;

  /** The first verification adds a row that reports the loss. */
  test("cut off", async ({ verified }) => {
    await tamper(verified, `DELETE FROM audit_events WHERE seq > ${length - 10}`);
    for (const [incremental, last] of [
      [true, length - 10],
      [false, length - 9],
    ] as const) {
      const found = { ok: false, broken: { seq: last + 1, reason: gone(last) } };
      expect(await verifyAfresh(verified, incremental)).toMatchObject(found);
    }
    expect((await setting(verified)).seq).toBe(length);
  });

  test("cut off and replaced", async ({ verified }) => {
    await tamper(verified, `DELETE FROM audit_events WHERE seq > ${length - 10}`);
    await addRows(asAnother(verified), 40);
    const reason = "it is not the row that was signed as the end of an earlier verification";
    const found = { ok: false, broken: { seq: length, reason } };
    expect(await verifyAfresh(verified, false)).toMatchObject(found);
    const reasonAfter = "its hash does not match the previous row, its content and the key";
    const foundAfter = { ok: false, broken: { seq: length + 1, reason: reasonAfter } };
    expect(await verifyAfresh(verified, true)).toMatchObject(foundAfter);
    expect((await setting(verified)).seq).toBe(length);
  });

  test("deleted", async ({ verified }) => {
    await tamper(verified, `DELETE FROM audit_events WHERE seq = ${length}`);
    const reason = "it is missing, but was signed as the end of an earlier verification";
    const found = { ok: false, broken: { seq: length, reason } };
    expect(await verifyAfresh(verified, true)).toMatchObject(found);
    const gap = { seq: length + 1, reason: `row ${length} is missing` };
    expect(await verifyAfresh(verified, false)).toMatchObject({ ok: false, broken: gap });
  });
});

describe("pruning", () => {
  /** Deletes this many rows, the oldest first. */
  async function prune({ app, clock }: TestApp, count: number): Promise<void> {
    const query = `SELECT at FROM audit_events WHERE seq = ${count + 1}`;
    const next = await app.core.db.read.get<{ at: number }>(query);
    expect(await pruneAuditEvents(app.core, next?.at ?? clock.now())).toBe(count);
  }

  async function agedTrail() {
    const app = openTestApp();
    for (const rows of [100, 100]) {
      await addRows(app, rows);
      app.clock.advance(1000);
    }
    return app;
  }

  test("before the verified row does not matter", async () => {
    const app = await agedTrail();
    await verify(app);
    await prune(app, 100);
    expect(await continued(app)).toMatchObject({ ok: true, since: { seq: 200 }, checked: 1 });
    await tamper(app, "DELETE FROM audit_checkpoints");
    const broken = { seq: 101, reason: "rows 1 to 100 are missing" };
    expect(await continued(app)).toMatchObject({ ok: false, broken });
  });

  test.each([
    ["up to the verified row", 100],
    ["beyond the verified row", 60],
  ])("%s makes it read all rows that remain", async (_, verifiedRows) => {
    const app = openTestApp();
    await addRows(app, verifiedRows);
    await verify(app);
    await addRows(app, 100 - verifiedRows);
    app.clock.advance(1000);
    await addRows(app, 50);
    await prune(app, 100);
    const rest = { ok: true, since: null, checkpoint: { seq: 100 }, firstSeq: 101, checked: 51 };
    expect(await continued(app)).toMatchObject(rest);
  });

  test("beyond the verified row during the walk does not count as a loss", async () => {
    const app = openTestApp();
    await addRows(app, 100);
    await verify(app);
    await addRows(app, 200);
    app.clock.advance(1000);
    await addRows(app, 50);
    const { core } = app.app;
    const { read } = core.db;
    let batches = 0;
    const whilePruned: Reader = {
      get: read.get,
      async all(sql, ...params) {
        if (sql.includes("audit_events") && ++batches === 2) await prune(app, 300);
        return read.all(sql, ...params);
      },
    };
    const found = await walkTrail(whilePruned, core.auditKey, { incremental: true });
    expect(found).toMatchObject({ broken: null, since: null, firstSeq: 301, checked: 51 });
  });
});

describe("an anchor", () => {
  const anchorAt = async (app: TestApp, seq: number) => ({
    anchorSeq: seq,
    anchorHash: (await hashOf(app, seq))!.hash,
  });

  test.for([
    [length, length],
    [length + 3, length],
    [length - 1, null],
  ])("at row %d: it begins after row %j", async ([seq, since], { verified }) => {
    expect(await continued(verified, await anchorAt(verified, seq!))).toMatchObject({
      ok: true,
      since: since && { seq: since },
      anchor: { seq, state: "FOUND" },
    });
  });

  test("is not found through the unread hash of its row", async ({ verified }) => {
    const anchorHash = "0".repeat(64);
    await tamper(verified, `UPDATE audit_events SET hash = '${anchorHash}' WHERE seq = 9`);
    const found = { ok: false, broken: { seq: 9 } };
    expect(await continued(verified, { anchorSeq: 9, anchorHash })).toMatchObject(found);
  });
});

describe("two verifications at once", () => {
  /** Runs `meanwhile` after the walk of an incremental verification. */
  async function continuedWhile(app: TestApp, meanwhile: () => Promise<unknown>) {
    const core = restarted(app);
    const { incremental } = core.trailVerifiers;
    const walk = incremental.walk.bind(incremental);
    incremental.walk = async (caller) => {
      const walked = await walk(caller);
      await meanwhile();
      return walked;
    };
    const request = { anchor: null, incremental: true };
    expect(await verifyAuditEvents(systemContext(core), request)).toMatchObject({ ok: true });
  }

  test("a complete one that ends first is not forgotten", async ({ verified }) => {
    const [, second] = verified.times;
    await continuedWhile(verified, () => verify(verified));
    const { fullAt } = await setting(verified);
    expect(new Date(fullAt!).toISOString()).toBe(second);
  });

  test("an incremental one does not move the place back", async ({ verified }) => {
    await continuedWhile(verified, async () => {
      await addRows(verified, 10);
      await continued(verified);
    });
    expect((await setting(verified)).seq).toBe(length + newRows + 10);
  });

  test("a deleted place is not written again", async ({ verified }) => {
    const deleting = () => tamper(verified, "DELETE FROM settings WHERE key = 'auditVerified'");
    await continuedWhile(verified, deleting);
    expect(await continued(verified)).toMatchObject({ since: null });
  });

  test("of different kinds have their own results", async ({ verified }) => {
    const { full: verifier } = verified.app.core.trailVerifiers;
    const walk = verifier.walk.bind(verifier);
    const continuing = Promise.withResolvers();
    // The full verification stores its end only after both have run. Otherwise the incremental
    // one would continue from there.
    verifier.walk = async (caller) => {
      const walked = await walk(caller);
      await continuing.promise;
      return walked;
    };
    const [full, incremental] = await Promise.all([
      verify(verified),
      continued(verified).finally(() => continuing.resolve(null)),
    ]);
    expect(full).toMatchObject(whole(length + newRows));
    expect(incremental).toMatchObject({ since: { seq: length }, checked: newRows });
  });
});

test("a place that cannot be stored does not change the result", async ({ verified }) => {
  const { core } = verified.app;
  const warnings = logged(verified, "warn");
  vi.spyOn(core.db, "write").mockRejectedValue(new Error("full"));
  expect(await continued(verified)).toMatchObject({ ok: true, checked: newRows });
  expect(warnings.map(({ message }) => message)).toEqual([
    "the last verified row of the audit trail could not be stored",
  ]);
  vi.restoreAllMocks();
  expect(await continued(verified)).toMatchObject({ since: { seq: length } });
});
