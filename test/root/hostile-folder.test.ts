// Tests that root reads, changes and gives away nothing outside a data folder into which the folder's
// owner has put links.

import { createHook } from "node:async_hooks";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { actAs, stopActing } from "../../src/lib/files/acting-user.ts";
import { cli } from "../cli/world.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { perFile } from "../helpers/lifetime.ts";
import { createOldDatabase } from "../helpers/old-database.ts";
import { asRootInProcess, gid, giveAway, snapshot, uid } from "../helpers/programs/as-root.ts";

vi.mock("../../src/cli/files/child.ts", async () => {
  const inProcess = await import("../helpers/process/parts-in-process.ts");
  return { ...(await vi.importActual<object>("../../src/cli/files/child.ts")), ...inProcess };
});
vi.mock("../../src/cli/self.ts", () => ({
  selfCommand: () => ["sh", "-c", "id -ru; id -u; id -G"],
}));

const platform = (words: string[]) =>
  cli(words, { io: { program: "platform" }, env: { PORT: "0" } });

interface Scene {
  folder: string;
  file: string;
  /** A folder that belongs to root and that only root can access. */
  precious: string;
  backup: string;
}

/** Two closed databases with their keys, and a backup of the first, which each test copies. */
const sources = perFile(async () => {
  const [file, other] = [await closedDatabase(), await closedDatabase()];
  const backup = join(temporaryFolder(), "backup.db");
  expect(await cli(["backup", backup, "--db", file])).toMatchObject({ status: 0 });
  return { file, other, backup };
});

async function closedDatabase(): Promise<string> {
  const { app, database, file } = openTestApp();
  await app.noteStarted([]);
  await app.close();
  await database.close();
  return file;
}

/** Creates `precious`, and a data folder without the session key, which root must create. */
function prepare(): Scene {
  const { file: first, other, backup } = sources();
  const folder = temporaryFolder();
  for (const name of ["platform.db", "audit.key"]) {
    copyFileSync(join(dirname(first), name), join(folder, name));
  }
  giveAway(folder);

  const precious = join(temporaryFolder(), "precious");
  mkdirSync(precious, { mode: 0o700 });
  writeFileSync(join(precious, "file"), "root's\n", { mode: 0o600 });
  for (const name of ["platform.db", "audit.key", "session.key"]) {
    copyFileSync(join(dirname(other), name), join(precious, name));
  }
  return { folder, file: join(folder, "platform.db"), precious, backup };
}

/** Replaces the database with one that must be migrated. */
function makeOld({ file }: Scene): void {
  const old = join(temporaryFolder(), "old.db");
  createOldDatabase(old);
  copyFileSync(old, file);
}

function commandsOn(file: string, backup: string): string[][] {
  const folder = dirname(file);
  return [
    ["users", "create", "mallory", "--role", "viewer", "--db", file],
    ["doctor", "--db", file],
    ["backup", join(folder, "a-backup.db"), "--db", file, "--force"],
    // Without a verification, it goes further.
    ["restore", backup, "--db", file, "--yes", "--unverified", "--migrate"],
  ];
}

const newLink = "made-through-a-link";

/** The links that the user puts into the data folder, and the file in `precious` to which each leads. */
const planted: Record<string, { name: string; to: string; prepare?: (scene: Scene) => void }> = {
  "the draft of a key, which the process id names": {
    name: `session.key.${process.pid}.new`,
    to: "file",
  },
  "a key that is missing": { name: "session.key", to: newLink },
  "the session key": { name: "session.key", to: "session.key" },
  "the audit key": { name: "audit.key", to: "audit.key" },
  "the lock, to a missing file": { name: "platform.db.lock", to: newLink },
  "the lock, to a database": { name: "platform.db.lock", to: "platform.db" },
  "the database": { name: "platform.db", to: "platform.db" },
  "the write-ahead log": { name: "platform.db-wal", to: "file" },
  "the index of the write-ahead log": { name: "platform.db-shm", to: "file" },
  "the rollback journal": { name: "platform.db-journal", to: newLink },
  "the draft of a restore": { name: "platform.db.restoring", to: "file" },
  "the copy that a migration keeps": {
    name: `platform.db.before-0002.${process.pid}`,
    to: "file",
    prepare: makeOld,
  },
  "the file that the doctor writes as a test": { name: `.doctor-${process.pid}`, to: newLink },
};

asRootInProcess.each(Object.entries(planted))(
  "root does not follow a link in place of %s",
  async (_, { name, to, prepare: change }) => {
    const scene = prepare();
    const { folder, file, precious, backup } = scene;
    change?.(scene);
    rmSync(join(folder, name), { force: true });
    symlinkSync(join(precious, to), join(folder, name));
    giveAway(folder);
    const before = snapshot(precious);
    for (const words of [
      ...(change ? [["migrate", "--db", file]] : []),
      ...commandsOn(file, backup),
    ]) {
      await platform(words);
      expect([words[0], snapshot(precious)]).toEqual([words[0], before]);
    }
    expect(process.geteuid?.()).toBe(0);
  },
);

/** Ways in which another user can make a path to a database lead into `precious`. */
const waysOfOthers: Record<string, (scene: Scene) => string> = {
  "a link replaces the data folder": ({ precious }) => {
    const own = temporaryFolder();
    symlinkSync(precious, join(own, "data"));
    giveAway(own);
    return join(own, "data", "platform.db");
  },
  "root's folder in a folder of the user": ({ precious }) => {
    const own = temporaryFolder();
    renameSync(precious, join(own, "data"));
    symlinkSync(join(own, "data"), precious);
    chownSync(own, uid, gid);
    return join(own, "data", "platform.db");
  },
  "a link to a database, in a folder that a group may write to": ({ precious }) => {
    const shared = sharedFolder(0o770, gid);
    symlinkSync(join(precious, "platform.db"), join(shared, "platform.db"));
    lchownSync(join(shared, "platform.db"), uid, gid);
    return join(shared, "platform.db");
  },
  "a folder that a group may write to, without a database": ({ precious }) => {
    const shared = sharedFolder(0o770, gid);
    symlinkSync(join(precious, newLink), join(shared, "platform.db.lock"));
    return join(shared, "platform.db");
  },
  "a folder that all users may write to, with root's database": ({ precious, file }) => {
    const shared = sharedFolder(0o1777, 0);
    copyFileSync(file, join(shared, "platform.db"));
    chownSync(join(shared, "platform.db"), 0, 0);
    symlinkSync(join(precious, newLink), join(shared, "platform.db.lock"));
    return join(shared, "platform.db");
  },
  "root's folder in a folder that a group may write to": ({ precious }) => {
    const shared = sharedFolder(0o775, gid);
    symlinkSync(precious, join(shared, "data"));
    return join(shared, "data", "platform.db");
  },
};

function sharedFolder(mode: number, group: number): string {
  const folder = temporaryFolder();
  chownSync(folder, 0, group);
  chmodSync(folder, mode);
  return folder;
}

asRootInProcess.each(Object.entries(waysOfOthers))(
  "commands fail and change nothing with %s",
  async (_, waylay) => {
    const scene = prepare();
    // The folder is reachable for all users, so that only root's permissions protect it.
    chmodSync(dirname(scene.precious), 0o755);
    chmodSync(scene.precious, 0o755);
    const file = waylay(scene);
    const before = snapshot(scene.precious);
    for (const words of commandsOn(file, scene.backup)) {
      const ran = await platform(words);
      expect(ran.status, words[0]).not.toBe(0);
      expect([words[0], snapshot(scene.precious)]).toEqual([words[0], before]);
    }
    expect(process.geteuid?.()).toBe(0);
  },
);

asRootInProcess(
  "a draft that is replaced with a link while a backup is copied into it is not followed",
  async () => {
    const { folder, file, precious, backup } = prepare();
    const before = snapshot(precious);
    const draft = `${file}.restoring`;
    let swapped = 0;
    let ended = false;
    const swap = () => {
      if (ended) return;
      if (existsSync(draft) && !lstatSync(draft).isSymbolicLink()) {
        rmSync(draft);
        symlinkSync(join(precious, "file"), draft);
        swapped++;
      }
      setImmediate(swap);
    };
    swap();
    const ran = await platform(["restore", backup, "--db", file, "--yes", "--unverified"]);
    ended = true;
    expect(swapped).toBeGreaterThan(0);
    expect(ran.status).not.toBe(0);
    expect(snapshot(precious)).toEqual(before);
    expect(existsSync(folder)).toBe(true);
  },
);

asRootInProcess(
  "root reads a file that the folder's owner links to only with the owner's permissions",
  async () => {
    const { folder, file, precious } = prepare();
    const link = join(folder, "platform.db.before-restore-1");
    symlinkSync(join(precious, "platform.db"), link);
    lchownSync(link, uid, gid);
    const ran = await platform(["restore", link, "--db", file, "--yes", "--unverified"]);
    expect(ran.status).not.toBe(0);
    expect(ran.stderr).toContain("permission denied");
  },
);

asRootInProcess(
  "root does not write through another user's link in a folder that all users may write to",
  async () => {
    const { file, precious } = prepare();
    const shared = temporaryFolder();
    const link = join(shared, "backup.db");
    symlinkSync(join(precious, "file"), link);
    lchownSync(link, uid + 1, gid);
    const before = snapshot(precious);
    const ran = await platform(["backup", link, "--db", file, "--force"]);
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toContain("is a link that belongs to another user");
    expect(snapshot(precious)).toEqual(before);
  },
);

asRootInProcess(
  "a process that root starts while it acts as the owner cannot become root again",
  async () => {
    const { runSelf } = await vi.importActual<typeof import("../../src/cli/files/child.ts")>(
      "../../src/cli/files/child.ts",
    );
    actAs({ uid, gid });
    onTestFinished(stopActing);
    const ids = await runSelf([], new AbortController().signal);
    expect(ids).toBe(`${uid}\n${uid}\n${gid}\n`);
    expect(() => readFileSync("/etc/shadow")).toThrow(/EACCES/);
  },
);

asRootInProcess(
  "no file operation on the owner's folder is in progress while root has its own permissions",
  async () => {
    const { file } = prepare();
    const out = temporaryFolder();
    const underWay = new Map<number, string>();
    const hook = createHook({
      init(id, type) {
        const { stack = "" } = new Error("here");
        if (type.startsWith("FSREQ") && stack.includes("/src/store/")) underWay.set(id, stack);
      },
      before: (id) => void underWay.delete(id),
    }).enable();
    const { seteuid } = process;
    const together: string[] = [];
    process.seteuid = (id) => {
      if (id === 0) together.push(...underWay.values());
      seteuid?.call(process, id);
    };
    onTestFinished(() => {
      hook.disable();
      if (seteuid) process.seteuid = seteuid;
    });
    let isOver = false;
    // Sends Ctrl-C as soon as the copy is requested.
    const onInterrupt = (interrupt: () => void) => {
      const look = () => {
        if (underWay.size > 0) interrupt();
        else if (!isOver) setImmediate(look);
      };
      look();
      return () => undefined;
    };
    const backup = (name: string, io = {}) =>
      cli(["backup", join(out, name), "--db", file], { io: { program: "platform", ...io } });
    expect(await backup("whole.db")).toMatchObject({ status: 0 });
    expect((await backup("given-up.db", { onInterrupt })).status).not.toBe(0);
    isOver = true;
    expect(readdirSync(out).sort()).toEqual(["whole.db", "whole.db.sha256"]);
    expect(together).toEqual([]);
  },
);
