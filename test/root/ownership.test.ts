// Tests that everything that root creates in another user's data folder belongs to that user.

import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, vi } from "vitest";
import { openWriter } from "../../src/store/engine/sqlite-file.ts";
import { cli, failing } from "../cli/world.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { createOldDatabase } from "../helpers/old-database.ts";
import { filesNeeded } from "../helpers/process/parts-in-process.ts";
import { asRootInProcess, gid, giveAway, uid } from "../helpers/programs/as-root.ts";

// test/root/serve.test.ts tests the child processes.
vi.mock("../../src/cli/files/child.ts", () => import("../helpers/process/parts-in-process.ts"));

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

function expectAllTheirs(folder: string, names: string[]): void {
  const files = readdirSync(folder);
  expect(files).toEqual(expect.arrayContaining(names));
  for (const name of files) expect(statSync(join(folder, name)), name).toMatchObject({ uid, gid });
}

asRootInProcess(
  "a command on the file gives the lock and a missing key to the folder's owner",
  async () => {
    const { folder, file } = await prepare();
    rmSync(join(folder, "session.key"));
    expect(await cli(["tokens", "create", "--db", file])).toMatchObject({ status: 0 });
    expectAllTheirs(folder, ["platform.db", "platform.db.lock", "session.key"]);
  },
);

asRootInProcess(
  "a restore gives its files to the folder's owner, whether or not the folder has a database",
  async () => {
    const { folder, file, backup } = await prepare();
    expect(await platform(["restore", backup, "--db", file, "-y"])).toMatchObject({ status: 0 });
    expectAllTheirs(folder, ["platform.db", "platform.db.lock"]);

    const empty = temporaryFolder();
    copyFileSync(join(folder, "audit.key"), join(empty, "audit.key"));
    giveAway(empty);
    const words = ["restore", backup, "--data-dir", empty];
    expect(await platform(words)).toMatchObject({ status: 0 });
    expectAllTheirs(empty, ["platform.db", "platform.db.lock"]);
  },
);

asRootInProcess(
  "a migration gives its files to the folder's owner, including the kept copy",
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, "platform.db");
    createOldDatabase(file);
    const other = await prepare();
    copyFileSync(join(other.folder, "audit.key"), join(folder, "audit.key"));
    giveAway(folder);
    expect(await platform(["migrate", "--db", file])).toMatchObject({ status: 0 });
    expectAllTheirs(folder, ["platform.db.before-0002", "platform.db.lock", "session.key"]);
  },
);

asRootInProcess("opening a database without becoming its owner is refused", () => {
  const folder = temporaryFolder();
  chownSync(folder, uid, gid);
  const file = join(folder, "new.db");
  const open = () => openWriter({ file, busyTimeoutMs: 0, create: true });
  expect(open).toThrow(`${folder} belongs to UID ${uid}: root must not work there`);
  expect(readdirSync(folder)).toEqual([]);
});

asRootInProcess("the doctor finds a file that belongs to root", async () => {
  const { folder, file } = await prepare();
  new BetterSqlite3(file).close();
  chownSync(join(folder, "audit.key"), 0, 0);
  const ran = await platform(["doctor", "--db", file, "-o", "json"]);
  const findings: { check: string }[] = JSON.parse(ran.stdout);
  expect(findings.find(({ check }) => check === "permissions")).toMatchObject({
    state: "WARNING",
    found: `the folder belongs to UID ${uid}, but these do not: audit.key`,
    advice: `chown ${uid}:${gid} ${join(folder, "audit.key")}`,
  });
});

asRootInProcess(
  "a folder that its owner cannot reach is refused with a clear message",
  async () => {
    const folder = join(temporaryFolder(), "data");
    mkdirSync(folder);
    chownSync(folder, uid, gid);
    const ran = await cli(["agents", "list", "--db", join(folder, "platform.db")]);
    expect(ran).toMatchObject(
      failing(4, `belongs to the user #${uid}, and root works there only as that user`),
    );
    expect(ran.stderr).toContain(`that user cannot reach ${folder}`);
    expect(process.geteuid?.()).toBe(0);
  },
);

asRootInProcess(
  "a program that the folder's owner cannot reach is refused with a clear message",
  async () => {
    const { file } = await prepare();
    const out = temporaryFolder();
    chmodSync(out, 0o700);
    const node = join(out, "node");
    writeFileSync(node, "");
    filesNeeded.push(node);
    const ran = await cli(["agents", "list", "--db", file]).finally(() => filesNeeded.pop());
    expect(ran).toMatchObject(failing(4, `that user cannot reach this program (${node})`));
    expect(process.geteuid?.()).toBe(0);
  },
);

asRootInProcess("root's folder is refused with advice if all users may write to it", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const ran = await platform(["doctor", "--data-dir", folder]);
  expect(ran).toMatchObject(failing(4, `other users may write to ${folder}`));
  expect(ran.stderr).toContain("chmod go-w");
});

asRootInProcess(
  "root reads and writes its own files outside the folder, and the audit trail names root",
  async () => {
    const { file } = await prepare();
    const own = temporaryFolder();
    const event = join(own, "route.yaml");
    writeFileSync(event, "nothing: 1", { mode: 0o600 });
    // The file is read; only its content is wrong.
    const made = await cli(["routes", "create", "-f", event, "--db", file]);
    expect(made.stderr).toContain("nothing");
    const out = join(own, "trail.jsonl");
    expect(await cli(["tokens", "create", "--db", file])).toMatchObject({ status: 0 });
    expect(await cli(["audit", "export", "--out", out, "--db", file])).toMatchObject({ status: 0 });
    const rows = readFileSync(out, "utf8").trimEnd().split("\n");
    const last = rows.map((row) => JSON.parse(row)).find(({ actorType }) => actorType === "LOCAL");
    expect(last.actorName).toBe(userInfo().username);
    expect(statSync(out)).toMatchObject({ uid: 0 });
  },
);

asRootInProcess(
  "another user's error names the file's owner, and does not say that the file is missing",
  async () => {
    const { folder, file, backup } = await prepare();
    chmodSync(folder, 0o700);
    const asAnother = async (words: string[]) => {
      process.seteuid?.(uid + 1);
      try {
        return await platform(words);
      } finally {
        process.seteuid?.(0);
      }
    };
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
