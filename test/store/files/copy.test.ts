import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { signAuditHead } from "../../../src/core/audit/signed-head.ts";
import type { ChainLink } from "../../../src/domain/audit/audit-events.ts";
import { moveCheckpoint } from "../../../src/store/audit/signatures.ts";
import { copyDatabase } from "../../../src/store/files/copy.ts";
import { openTestApp, type TestApp, temporaryFolder } from "../../helpers/app.ts";
import { rowsIn } from "../../helpers/process/rows.ts";

/** The trail has six rows, and `other` is a connection that can change anything. */
async function openLive() {
  const app = openTestApp();
  await app.registerAgent("edge-1");
  await app.registerAgent("edge-2");
  const other = new BetterSqlite3(app.file);
  other.pragma("foreign_keys = OFF");
  onTestFinished(() => void other.close());
  return { app, other };
}

async function copyOf(
  { file }: Pick<TestApp, "file">,
  auditKeyFile = join(dirname(file), "audit.key"),
) {
  const to = join(temporaryFolder(), "copy.db");
  return { to, report: await copyDatabase({ from: file, to, auditKeyFile }) };
}

function trailOf({ file }: TestApp): ChainLink[] {
  const rows = rowsIn<[number, string]>(file, "SELECT seq, hash FROM audit_events ORDER BY seq");
  return rows.map(([seq, hash]) => ({ seq, hash }));
}

test("a copy contains exactly the committed data, even while another connection writes", async () => {
  const { app, other } = await openLive();
  const before = rowsIn(app.file, "SELECT * FROM agents");
  other.exec("BEGIN IMMEDIATE; UPDATE agents SET name = 'not yet'");
  const { to, report } = await copyOf(app);
  other.exec("ROLLBACK");
  expect(rowsIn(to, "SELECT * FROM agents")).toEqual(before);
  const schema = "SELECT name, sql FROM sqlite_schema ORDER BY name";
  expect(rowsIn(to, schema)).toEqual(rowsIn(app.file, schema));
  const bytes = readFileSync(to);
  expect(report).toEqual({
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    audit: {
      checked: 6,
      head: trailOf(app).at(-1),
      broken: null,
      isChainBroken: false,
      keyFits: true,
    },
  });
  expect(statSync(to).mode & 0o777).toBe(0o600);
});

test("a copy of many steps is of one state, and its folder need not be writable", async () => {
  const { app, other } = await openLive();
  other.exec("CREATE TABLE filler (content BLOB) STRICT");
  const fill = other.prepare("INSERT INTO filler VALUES (zeroblob(1000000))");
  for (let n = 0; n < 5; n++) fill.run();
  const copying = copyOf(app);
  // The copy is made in several steps, and the event loop runs this between two of them.
  setImmediate(() => fill.run());
  const { to } = await copying;
  expect(rowsIn(to, "SELECT COUNT(*) FROM filler")).toEqual([[5]]);
  expect(rowsIn(app.file, "SELECT COUNT(*) FROM filler")).toEqual([[6]]);
  expect(rowsIn(to, "PRAGMA journal_mode")).toEqual([["delete"]]);
});

/** Another program makes these changes. The trail has rows 1 to 6. */
const spoilt: Record<string, { sql: string; says: RegExp }> = {
  "a row with a dangling reference": {
    sql: "INSERT INTO agent_labels (agent_id, key, value) VALUES ('nobody', 'a', 'b')",
    says: /failed verification: a row of agent_labels refers to a row that does not exist/,
  },
  "a value that the schema forbids": {
    sql: "PRAGMA ignore_check_constraints = ON; UPDATE agents SET status = 'MAYBE'",
    says: /failed verification: CHECK constraint failed in agents/,
  },
};

test.each(Object.entries(spoilt))("%s", async (_what, { sql, says }) => {
  const { app, other } = await openLive();
  other.exec(sql);
  const refusal = { code: "UNAVAILABLE", message: expect.stringMatching(says) };
  await expect(copyOf(app)).rejects.toMatchObject(refusal);
});

test("a trail whose end is missing, or that was changed, is reported, and the copy is made", async () => {
  const { app, other } = await openLive();
  await signAuditHead(app.app.core);
  other.exec("DROP TRIGGER audit_events_pruned_after_checkpoint");
  other.exec("DELETE FROM audit_events WHERE seq > 4");
  const reason = "the trail ends at row 4, before row 6, which was signed as the trail's head";
  expect((await copyOf(app)).report.audit).toMatchObject({
    broken: { seq: 5, reason },
    isChainBroken: false,
  });
  other.exec("DROP TRIGGER audit_events_never_change");
  other.exec("UPDATE audit_events SET message = 'x' WHERE seq = 2");
  expect((await copyOf(app)).report.audit).toMatchObject({
    broken: { seq: 2, reason: expect.stringContaining("its hash does not match") },
    isChainBroken: true,
  });
});

test("a trail that was pruned begins at its checkpoint", async () => {
  const { app, other } = await openLive();
  const [, second, ...others] = trailOf(app);
  const { core } = app.app;
  await core.db.write((tx) => moveCheckpoint(tx, core.auditKey, second!));
  other.exec("DELETE FROM audit_events WHERE seq <= 2");
  expect((await copyOf(app)).report.audit.head).toEqual(others.at(-1));
});

test("a damaged file is reported", async () => {
  const { app } = await openLive();
  const { to: file } = await copyOf(app);
  writeFileSync(file, readFileSync(file).fill(0xab, 4096 * 2));
  await expect(copyOf({ file }, join(dirname(app.file), "audit.key"))).rejects.toThrow(
    /cannot be made: database disk image is malformed/,
  );
});

test("a copy is refused if the key is missing, and reports the key of another trail", async () => {
  const { app } = await openLive();
  const key = join(temporaryFolder(), "audit.key");
  await expect(copyOf(app, key)).rejects.toThrow(/audit\.key: it is missing/);
  writeFileSync(key, Buffer.alloc(32, 1).toString("base64"));
  expect((await copyOf(app, key)).report.audit).toMatchObject({
    broken: { seq: 1 },
    keyFits: false,
  });
});

test("existing files are left unchanged", async () => {
  const { app } = await openLive();
  const to = join(temporaryFolder(), "copy.db");
  writeFileSync(to, "mine");
  const auditKeyFile = join(dirname(app.file), "audit.key");
  await expect(copyDatabase({ from: app.file, to, auditKeyFile })).rejects.toThrow(/EEXIST/);
  expect(readFileSync(to, "utf8")).toBe("mine");
});
