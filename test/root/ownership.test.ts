// Tests what a user learns about files of another user.

import { chmodSync, chownSync, closeSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect } from "vitest";
import { cli } from "../cli/world.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { serveHttp } from "../helpers/http/listen.ts";
import { withoutChildren } from "../helpers/process/without-children.ts";
import { asRootInProcess, gid, giveAway, uid } from "../helpers/programs/as-root.ts";

withoutChildren();

const up = {
  success: true,
  data: { status: "UP", version: "0.0.0", timestamp: new Date().toISOString() },
};

const platform = (words: string[]) =>
  cli(words, { io: { program: "platform" }, env: { PORT: "0" } });

/** Creates a closed database that belongs to another user, without a lock, and a backup of it. */
async function prepare(): Promise<{ folder: string; file: string; backup: string }> {
  const { app, database, file } = openTestApp();
  const backup = join(temporaryFolder(), "backup.db");
  expect(await cli(["backup", backup, "--db", file])).toMatchObject({ status: 0 });
  await app.close();
  await database.close();
  const folder = dirname(file);
  rmSync(`${file}.lock`);
  giveAway(folder);
  return { folder, file, backup };
}

/** Runs the command with the rights of another user. */
async function as(user: number, words: string[]) {
  process.seteuid?.(user);
  try {
    return await platform(words);
  } finally {
    process.seteuid?.(0);
  }
}

for (const names of [["audit.key"], ["platform.db.lock"], ["platform.db", "platform.db.lock"]]) {
  asRootInProcess(`the doctor finds files that belong to root: ${names.join(", ")}`, async () => {
    const { folder, file } = await prepare();
    new BetterSqlite3(file).close();
    const paths = names.map((name) => join(folder, name));
    for (const path of paths) {
      closeSync(openSync(path, "a", 0o600));
      chownSync(path, 0, 0);
    }
    const ran = await as(uid, ["doctor", "--db", file, "-o", "json"]);
    const findings: { check: string }[] = JSON.parse(ran.stdout);
    expect(findings.find(({ check }) => check === "permissions")).toMatchObject({
      state: "WARNING",
      found: `the folder belongs to UID ${uid}, but these do not: ${names.join(", ")}`,
      advice: `chown ${uid}:${gid} ${paths.join(" ")}`,
    });
  });
}

asRootInProcess(
  "another user's error names the file's owner, and does not say that the file is missing",
  async () => {
    const { folder, file, backup } = await prepare();
    chmodSync(folder, 0o700);
    const asAnother = (words: string[]) => as(uid + 1, words);
    for (const words of [
      ["agents", "list", "--db", file],
      ["migrate", "--status", "--db", file],
      ["restore", backup, "--db", file, "--dry-run"],
      ["audit", "verify", "--db", file],
    ]) {
      const { status, stderr } = await asAnother(words);
      expect([words[0], status]).toEqual([words[0], 6]);
      expect(stderr).toContain(
        `permission denied; it belongs to the user #${uid}: run this as that`,
      );
    }
    const { stdout, stderr } = await asAnother(["doctor", "--db", file, "-o", "wide"]);
    expect(stdout).toMatch(
      new RegExp(`FAILURE +data folder +this user cannot open ${folder}: it belongs .*#${uid}`),
    );
    expect(stdout.match(/^FAILURE/gm)).toHaveLength(1);
    expect(stderr).not.toContain("restore");
    // Whether a server has opened the database is unknown.
    const url = await serveHttp((_, response) => response.end(JSON.stringify(up)));
    const words = ["doctor", "--db", file, "--port", new URL(url).port, "-o", "json"];
    const asked = JSON.parse((await asAnother(words)).stdout) as { check: string; state: string }[];
    expect(asked.find(({ check }) => check === "server")).toMatchObject({ state: "OK" });
    // The owner of something in a closed folder is not visible.
    const closed = temporaryFolder();
    chmodSync(closed, 0o700);
    const below = join(closed, "data");
    const hidden = await asAnother(["doctor", "--db", join(below, "platform.db"), "-o", "json"]);
    expect(hidden).toMatchObject({ status: 1, stderr: "" });
    const findings = JSON.parse(hidden.stdout) as { check: string; state: string; found: string }[];
    expect(findings.filter(({ state }) => state === "FAILURE")).toMatchObject([
      { check: "data folder", found: `this user cannot open ${below}` },
    ]);
    expect(findings).toHaveLength(stdout.match(/^(OK|WARNING|FAILURE|SKIPPED)/gm)?.length ?? 0);
    // Now only the file is unreadable.
    chmodSync(folder, 0o755);
    const { stderr: ofFile } = await asAnother(["agents", "list", "--db", file]);
    expect(ofFile).toContain(`it belongs to the user #${uid}`);
  },
);
