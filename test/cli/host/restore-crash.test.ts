// A restore that is killed at any step leaves the old database or the restored one. One restore
// copies the folder before each change of a file, and the tests open each copy as after a kill.

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/store/engine/sqlite/open.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { cleanEnv, startServer } from "../../helpers/process/process.ts";
import { withoutChildren } from "../../helpers/process/without-children.ts";
import { size } from "../../helpers/size.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli } from "../world.ts";

sqliteOnly("PostgreSQL is restored with its own tools");

withoutChildren();

const program = join(bin, "platform");

/**
 * Copies the folder before each change of a file in it, and kills the process before one of them.
 */
const recorder = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { FOLDER, COPIES, KILL_AT, NO_LINKS } = process.env;
  let step = 0;
  const { copyFileSync, linkSync } = fs;
  const copyTo = (folder) => {
    fs.mkdirSync(folder);
    const copied = new Map();
    for (const name of fs.readdirSync(FOLDER)) {
      const [from, to] = [FOLDER + "/" + name, folder + "/" + name];
      const { ino, atime, mtime } = fs.statSync(from);
      // Hard links to one file stay hard links to one copy.
      if (copied.has(ino)) linkSync(copied.get(ino), to);
      else copyFileSync(from, to);
      fs.utimesSync(to, atime, mtime);
      copied.set(ino, to);
    }
  };
  if (process.argv.includes("restore")) {
    if (NO_LINKS) {
      fs.linkSync = () => { throw Object.assign(new Error("no links"), { code: "EPERM" }); };
    }
    const names = ["openSync", "linkSync", "copyFileSync", "renameSync"];
    for (const name of [...names, "rmSync", "mkdirSync"]) {
      const real = fs[name];
      fs[name] = (...given) => {
        const concerns = typeof given[0] === "number" || String(given[0]).includes("platform.db");
        if (concerns) {
          step++;
          if (step === Number(KILL_AT)) process.kill(process.pid, "SIGKILL");
          if (COPIES) copyTo(COPIES + "/" + step);
        }
        return real(...given);
      };
    }
    syncBuiltinESMExports();
  }`;

/** Creates a backup with edge-1, and the folder of a killed server with edge-2 only in the log. */
async function prepare() {
  const test = openTestApp();
  test.clock.advance(Date.now() - test.clock.now());
  await test.registerAgent("edge-1");
  const backup = join(temporaryFolder(), "backup.db");
  expect(await cli(["backup", backup, "--db", test.file])).toMatchObject({ status: 0 });
  await test.registerAgent("edge-2");
  const folder = join(temporaryFolder(), "data");
  cpSync(dirname(test.file), folder, { recursive: true });
  expect(statSync(join(folder, "platform.db-wal")).size).toBeGreaterThan(0);
  return { folder, backup };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

function restore({ folder, backup }: Prepared, env: Record<string, string>) {
  const copy = join(temporaryFolder(), "data");
  cpSync(folder, copy, { recursive: true });
  const preload = join(temporaryFolder(), "recorder.mjs");
  writeFileSync(preload, recorder);
  const words = ["restore", backup, "--data-dir", copy, "--yes"];
  const ended = spawnSync(program, words, {
    env: cleanEnv({ NODE_OPTIONS: `--import=${pathToFileURL(preload)}`, FOLDER: copy, ...env }),
  });
  return { folder: copy, ended };
}

/**
 * Returns the different folders that a kill leaves, in the order of the steps. Each is named after
 * its first step.
 */
function killedAtAnyStep(prepared: Prepared, env: Record<string, string> = {}): string[] {
  const copies = temporaryFolder();
  const { ended } = restore(prepared, { COPIES: copies, ...env });
  expect(ended).toMatchObject({ status: 0 });
  const steps = readdirSync(copies).map(Number);
  const folders = steps.sort((a, b) => a - b).map((step) => join(copies, String(step)));
  const contents = folders.map((folder) =>
    namesIn(folder).map((name) => {
      const file = join(folder, name);
      return [name, statSync(file).nlink, readFileSync(file, "latin1")];
    }),
  );
  return folders.filter((_, at) => !isDeepStrictEqual(contents[at], contents[at - 1]));
}

const namesIn = (folder: string) => readdirSync(folder).filter((name) => !name.endsWith("-shm"));

async function expectOneCompleteDatabase(copies: string[]): Promise<void> {
  const outcomes: string[] = [];
  for (const folder of copies) {
    const file = join(folder, "platform.db");
    const hadDraft = namesIn(folder).includes("platform.db.restoring");
    const opened = openDatabase({ file, busyTimeoutMs: 0, schema: "apply", now: Date.now });
    const rows = await opened.database.read.all<{ code: string }>(
      "SELECT code FROM agents ORDER BY code",
    );
    await opened.database.close();
    const codes = rows.map(({ code }) => code).join(" ");
    expect(opened.restoreUndone).toBe(hadDraft);
    outcomes.push(hadDraft ? `${codes}, undone` : codes);
    const database = new BetterSqlite3(file, { readonly: true });
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    database.close();
    // A remaining second name would destroy a database in use.
    const kept = namesIn(folder).filter((name) => name.includes("before-restore"));
    expect([statSync(file).nlink, kept.length]).toEqual([1, codes === "edge-1" ? 1 : 0]);
    expect(namesIn(folder).filter((name) => name.includes("restoring"))).toEqual([]);
  }
  // Early kills leave the old database, and later kills leave the restored one.
  const changes = outcomes.filter((outcome, at) => outcome !== outcomes[at - 1]);
  expect(changes).toEqual(["edge-1 edge-2", "edge-1 edge-2, undone", "edge-1"]);
}

test("a restore killed at any step leaves one complete database, and a server reports it", async () => {
  const prepared = await prepare();
  const copies = killedAtAnyStep(prepared);
  const interrupted = copies.find((one) => namesIn(one).includes("platform.db.restoring")) ?? "";
  const { folder, ended } = restore(prepared, { KILL_AT: basename(interrupted) });
  expect(ended.signal).toBe("SIGKILL");
  // The copies are the same as the files after a real kill.
  expect(namesIn(folder)).toEqual(namesIn(interrupted));
  const server = await startServer({ dataDir: folder });
  expect(server.stderr()).toContain("a restore was interrupted before it replaced anything");
  await expectOneCompleteDatabase(copies);
});

test("a restore killed at any step leaves one complete database, even without hard links", async () => {
  await expectOneCompleteDatabase(killedAtAnyStep(await prepare(), { NO_LINKS: "1" }));
});

test("after a killed restore, the next restore keeps a damaged database unchanged", async () => {
  const prepared = await prepare();
  const damaged = join(prepared.folder, "platform.db");
  writeFileSync(damaged, "broken ".repeat(1000));
  const log = readFileSync(`${damaged}-wal`);
  let movedAside = 0;
  const folders = killedAtAnyStep(prepared).filter((_, at) => at % size(4, 1) === 0);
  for (const folder of folders) {
    movedAside += namesIn(folder).filter((name) => /before-restore-[^.]*-wal$/.test(name)).length;
    const words = ["restore", prepared.backup, "--db", join(folder, "platform.db"), "-y"];
    const again = await cli([...words, "-o", "json"]);
    expect(again.status).toBe(0);
    if (namesIn(folder).filter((name) => /before-restore-[-\d]*$/.test(name)).length > 1) continue;
    const { keptAs } = JSON.parse(again.stdout).replaced;
    expect(readFileSync(keptAs, "utf8")).toContain("broken");
    expect(readFileSync(`${keptAs}-wal`).equals(log)).toBe(true);
  }
  expect(movedAside).toBeGreaterThan(0);
});
