// Tests `audit verify`: the verdict, the first wrong row, and anchors.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inChild } from "../../../src/cli/files/child-processes.ts";
import type { WalkTrail } from "../../../src/domain/audit/trail-walks.ts";
import { describeStorageProblem } from "../../../src/domain/storage/failures.ts";
import { walkTrailOf } from "../../../src/store/audit/verification.ts";
import { addRows, tamper } from "../../core/audit/long-trail.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { failing, openWorld } from "../world.ts";

const verify = ["audit", "verify"];
const anchorFile = () => join(temporaryFolder(), "anchor.json");

async function scene() {
  const world = await openWorld();
  await addRows(world, 20);
  const found = await world.as("viewer").call("audit-events.verify");
  return { world, head: found.head ?? { seq: 0, hash: "" } };
}

test("a changed row is named with exit status 1, and then `attention list` says why the server is degraded", async () => {
  const { world, head } = await scene();
  const seq = head.seq - 5;
  await tamper(world, `UPDATE audit_events SET message = 'becausf' WHERE seq = ${seq}`);
  const noted = async () => (await world.run("--server", ["attention", "list"])).stderr;
  expect(await noted()).toBe("");
  const { status, stdout, stderr } = await world.run("--server", verify);
  expect(status).toBe(1);
  expect(stdout).toMatch(new RegExp(`^verdict +BROKEN\nbroken at +${seq}\nbecause +its hash`));
  expect(stderr).toContain(`the audit trail is broken at row ${seq}: its hash does not match`);

  const json = await world.run("--server", [...verify, "-o", "json"]);
  expect(json.status).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, broken: { seq } });
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: "AUDIT_BROKEN", details: { seq } });
  expect(await noted()).toBe(
    `\nThe server is DEGRADED: ${describeStorageProblem("AUDIT_BROKEN")}\n`,
  );
});

test("--incremental continues from the last verification, and shows where it began", async () => {
  const { world, head } = await scene();
  await addRows(world, 3);
  const columns = ["--columns", "verdict,checked,first,since,verified,last full"];
  const incremental = [...verify, "--incremental", ...columns];
  const { status, stdout, stderr } = await world.run("--server", incremental);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const times = "verified +\\S.*\nlast full +\\S.*\n";
  const rows = `checked +3 rows\nfirst +${head.seq + 1}\nsince +row ${head.seq}\n`;
  expect(stdout).toMatch(new RegExp(`^verdict +SOUND\n${rows}${times}$`));

  const onFile = await world.run("--db", [...verify, "--incremental", "-o", "json"]);
  expect(JSON.parse(onFile.stdout).since.seq).toBeGreaterThan(head.seq);

  const other = await openWorld();
  const whole = await other.run("--db", [...verify, "--incremental"]);
  expect(whole).toMatchObject({ status: 0, stdout: expect.not.stringContaining("since") });
  expect(whole.stderr).toBe(
    "The whole trail was read: there is no earlier verification to continue from.\n",
  );
});

test("a child process can continue from the last verification", async () => {
  const walkTrail: WalkTrail = (request, signal) =>
    (request.incremental ? inChild.walkTrail : walkTrailOf)(request, signal);
  const app = openTestApp({}, { walkTrail });
  await addRows(app, 20);
  const verifyTrail = (query = {}) => app.as("viewer").call("audit-events.verify", { query });
  expect(await verifyTrail()).toMatchObject({ since: null, checked: 20 });
  await addRows(app, 2);
  const found = { ok: true, since: { seq: 20 }, checked: 2 };
  expect(await verifyTrail({ incremental: true })).toMatchObject(found);
});

test("an anchor is saved and found, and is MISSING after the trail's end was removed", async () => {
  const { world, head } = await scene();
  const file = anchorFile();
  const kept = await world.run("--server", [...verify, "--save-anchor", file]);
  expect(kept).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(head);
  await addRows(world, 3);
  const found = await world.run("--server", [...verify, "--anchor", file, "--save-anchor", file]);
  expect(found.stdout).toMatch(new RegExp(`\nanchor +row ${head.seq} FOUND\n`));
  const newer = readFileSync(file, "utf8");
  expect(JSON.parse(newer).seq).toBe(head.seq + 3);

  await tamper(world, `DELETE FROM audit_events WHERE seq > ${head.seq - 2}`);
  const lost = await world.run("--server", [...verify, "--anchor", file, "--save-anchor", file]);
  expect(lost.status).toBe(1);
  expect(lost.stdout).toMatch(/\nanchor +row \d+ MISSING\n/);
  expect(lost.stderr).toContain(`broken at row ${head.seq - 1}`);
  expect(readFileSync(file, "utf8")).toBe(newer);
});

test("an anchor can come from the output of verify, from a log, and from standard input", async () => {
  const { world, head } = await scene();
  const file = anchorFile();
  const log = JSON.stringify({ level: "info", ...head, msg: "audit head" });
  const printed = (await world.run("--db", [...verify, "-o", "json"])).stdout;
  for (const text of [printed, `{"level":"info"}\n${log}\n`]) {
    writeFileSync(file, text);
    const ran = await world.run("--db", [...verify, "--anchor", file]);
    expect(ran.stdout).toContain("FOUND");
  }
  const stdin = JSON.stringify(head);
  const ran = await world.run("--db", [...verify, "--anchor", "-"], { stdin });
  expect(ran.stdout).toContain("FOUND");
});

const wrongHash = '{"seq":1,"hash":"abc"}';
const wrongSeq = `{"seq":"1","hash":"${"0".repeat(64)}"}`;

test("other texts are not anchors, and --save-anchor does not replace them", async () => {
  const world = await openWorld();
  const file = anchorFile();
  for (const text of ["", "{}", "null", wrongHash, wrongSeq]) {
    writeFileSync(file, text);
    const ran = await world.run("--db", [...verify, "--anchor", file]);
    expect(ran, text).toMatchObject(failing(2, "contains no anchor"));
  }
  expect((await world.run("--db", [...verify, "--anchor", `${file}x`])).stderr).toContain(
    "does not exist",
  );

  writeFileSync(file, "precious");
  const ran = await world.run("--db", [...verify, "--save-anchor", file]);
  expect(ran).toMatchObject(failing(5, "exists and is not an anchor"));
  expect(readFileSync(file, "utf8")).toBe("precious");
  const nowhere = join(file, "anchor.json");
  expect((await world.run("--db", [...verify, "--save-anchor", nowhere])).status).toBe(2);
  expect(existsSync(nowhere)).toBe(false);
});
