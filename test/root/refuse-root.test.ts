// Tests that root changes nothing on a path that another user controls, because a link of that user
// could lead root to any file.

import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { openWriter } from "../../src/store/engine/sqlite/file.ts";
import { cli, failing } from "../cli/world.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { perFile } from "../helpers/lifetime.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { emptyCluster } from "../helpers/postgres-cluster.ts";
import { startServer } from "../helpers/process/process.ts";
import { withoutChildren } from "../helpers/process/without-children.ts";
import { asRoot, gid, giveAway, snapshot, uid } from "../helpers/programs/as-root.ts";

withoutChildren();

const platform = (words: string[], env: Record<string, string> = {}) =>
  cli(words, { io: { program: "platform" }, env: { PORT: "0", ...env } });

const advice = `belongs to the user #${uid}, who could put links there for root to follow. Run this`;

interface Scene {
  /** A closed database in a folder that belongs to root. */
  file: string;
  /** A folder that belongs to root, with a database and its keys. */
  precious: string;
  backup: string;
}

/**
 * Two closed databases with their keys, and a backup of the first. Each test copies all of them.
 */
const sources = perFile(async () => {
  const [file, other] = [await closedDatabase(), await closedDatabase()];
  const backup = join(temporaryFolder(), "backup.db");
  expect(await cli(["backup", backup, "--db", file])).toMatchObject({ status: 0 });
  return { file, other, backup };
});

async function closedDatabase(): Promise<string> {
  const { app, database, file } = openTestApp();
  await app.noteStarted();
  await app.close();
  await database.close();
  return file;
}

function prepare(): Scene {
  const { file: first, other, backup } = sources();
  const folder = temporaryFolder();
  const precious = join(temporaryFolder(), "precious");
  mkdirSync(precious);
  for (const name of ["platform.db", "audit.key"]) {
    copyFileSync(join(dirname(first), name), join(folder, name));
    copyFileSync(join(dirname(other), name), join(precious, name));
  }
  writeFileSync(join(precious, "file"), "root's\n", { mode: 0o600 });
  // All users can reach the folder, so that only root's permissions protect it.
  chmodSync(dirname(precious), 0o755);
  chmodSync(precious, 0o755);
  return { file: join(folder, "platform.db"), precious, backup };
}

/**
 * Ways in which another user can control the path to a database, with a link into `precious`.
 * untrusted-user.test.ts has the others.
 */
const waysOfOthers: Record<string, (scene: Scene) => string> = {
  "the user's data folder, with links in place of files": ({ file, precious }) => {
    const folder = dirname(file);
    symlinkSync(join(precious, "new"), join(folder, "session.key"));
    symlinkSync(join(precious, "platform.db"), join(folder, "platform.db.lock"));
    symlinkSync(join(precious, "file"), join(folder, "platform.db.restoring"));
    giveAway(folder);
    return file;
  },
  "a link of the user in place of the data folder": ({ precious }) => {
    const own = temporaryFolder();
    symlinkSync(precious, join(own, "data"));
    giveAway(own);
    return join(own, "data", "platform.db");
  },
  "a folder that all users may write to, with root's database": ({ precious, file }) => {
    const shared = temporaryFolder();
    chmodSync(shared, 0o1777);
    copyFileSync(file, join(shared, "platform.db"));
    symlinkSync(join(precious, "new"), join(shared, "platform.db.lock"));
    return join(shared, "platform.db");
  },
};

function commandsOn(file: string, backup: string): string[][] {
  const out = dirname(backup);
  return [
    ["serve", "--data-dir", dirname(file)],
    ["tokens", "create", "--db", file],
    ["migrate", "--db", file],
    ["doctor", "--db", file],
    ["backup", join(out, "a-backup.db"), "--db", file],
    ["audit", "export", "--out", join(out, "export.json"), "--db", file],
    ["restore", backup, "--db", file, "--yes"],
    ["restore", backup, "--db", file, "--yes", "--unverified", "--migrate"],
    ["db", "reactivate", "--db", file, "--yes"],
    ["db", "move", "--from", file, "--to", join(out, "new", "platform.db")],
  ];
}

// All commands use the same check, so only the first way is tried with all of them.
asRoot.each(Object.entries(waysOfOthers))(
  "commands are refused and change nothing with %s",
  async (way, waylay) => {
    const scene = prepare();
    const file = waylay(scene);
    const places = [scene.precious, dirname(file), dirname(scene.backup)];
    const before = places.map(snapshot);
    const commands = commandsOn(file, scene.backup);
    const isFirst = way === Object.keys(waysOfOthers)[0];
    for (const words of isFirst ? commands : commands.slice(0, 1)) {
      const ran = await platform(words);
      expect({ words, ...ran }).toMatchObject(failing(4, "for root to follow"));
      expect([words, places.map(snapshot)]).toEqual([words, before]);
    }
  },
);

asRoot("the refusal says which command to run instead", async () => {
  const folder = temporaryFolder();
  chownSync(folder, uid, gid);
  const ran = await platform(["agents", "list", "--db", join(folder, "platform.db")]);
  expect(ran).toMatchObject(failing(4, `${folder} ${advice}`));
  const ids = `--reuid=${uid} --regid=${gid}`;
  expect(ran.stderr).toContain(`as that user: setpriv ${ids} --clear-groups platform …`);
  chownSync(folder, 1, 1); // daemon, on every Linux system
  const named = await platform(["agents", "list", "--db", join(folder, "platform.db")]);
  expect(named.stderr).toContain("as that user: runuser -u daemon -- platform …");
  const shared = temporaryFolder();
  chmodSync(shared, 0o777);
  const other = await platform(["doctor", "--data-dir", shared]);
  expect(other).toMatchObject(failing(4, `other users may write to ${shared}`));
  expect(other.stderr).toContain("chmod go-w");
});

asRoot("the store refuses a path that a command did not check", () => {
  const folder = temporaryFolder();
  chownSync(folder, uid, gid);
  const file = join(folder, "new.db");
  const open = () => openWriter({ file, busyTimeoutMs: 0, create: true });
  expect(open).toThrow(`${folder} belongs to UID ${uid}: root must not write there`);
  expect(readdirSync(folder)).toEqual([]);
});

asRoot("root does not write a backup through another user's link", async () => {
  const { file, precious } = prepare();
  const link = join(temporaryFolder(), "backup.db");
  symlinkSync(join(precious, "file"), link);
  lchownSync(link, uid, gid);
  const before = snapshot(precious);
  const ran = await platform(["backup", link, "--db", file, "--force"]);
  expect(ran).toMatchObject(failing(2, "is a link that belongs to another user"));
  expect(snapshot(precious)).toEqual(before);
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  asRoot.each(["the keys", "the data folder"])("%s of another user are refused", async (what) => {
    const { env } = await emptyCluster();
    const dataDir = temporaryFolder();
    giveAway(what === "the keys" ? dirname(env.PLATFORM_AUDIT_KEY_FILE ?? "") : dataDir);
    await expect(startServer({ firstStart: true, dataDir, env })).rejects.toThrow(advice);
  });
});
