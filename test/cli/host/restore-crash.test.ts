// A restore that is killed at any step leaves the old database or the restored one. One restore
// copies the folder before each change of a file, and the tests open each copy as after a kill.

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/store/engine/sqlite/open.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
import { bin } from "../../helpers/process/installed.ts";
import { cleanEnv, startServer } from "../../helpers/process/process.ts";
import { size } from "../../helpers/size.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli } from "../world.ts";

sqliteOnly("PostgreSQL is restored with its own tools");

vi.mock(
  "../../../src/cli/files/child-processes.ts",
  () => import("../../helpers/process/parts-in-process.ts"),
);

/** The functions that change files. The step of a kill is a number of calls of these functions. */
const names = [
  "openSync",
  "linkSync",
  "copyFileSync",
  "renameSync",
  "rmSync",
  "mkdirSync",
] as const;

/** Kills the process before one of the changes of the database's files. */
const killer = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let step = 0;
  if (process.argv.includes("restore")) {
    for (const name of ${JSON.stringify(names)}) {
      const real = fs[name];
      fs[name] = (...given) => {
        if (String(given[0]).includes("platform.db") && ++step === Number(process.env.KILL_AT)) {
          process.kill(process.pid, "SIGKILL");
        }
        return real(...given);
      };
    }
    syncBuiltinESMExports();
  }`;

/** Copies the folder before each of these changes, into a folder that is named after the step. */
function recordSteps(folder: string, copies: string, hasLinks: boolean): void {
  let step = 0;
  replaceBuiltin<typeof import("node:fs")>("node:fs", (real) => {
    const copyTo = (to: string) => {
      real.mkdirSync(to);
      const copied = new Map<number, string>();
      for (const name of real.readdirSync(folder)) {
        const [source, target] = [join(folder, name), join(to, name)];
        const { ino, atime, mtime } = real.statSync(source);
        // Hard links to one file stay hard links to one copy.
        const earlier = copied.get(ino);
        if (earlier) real.linkSync(earlier, target);
        else real.copyFileSync(source, target);
        real.utimesSync(target, atime, mtime);
        copied.set(ino, target);
      }
    };
    const refuse = () => {
      throw Object.assign(new Error("no links"), { code: "EPERM" });
    };
    const recording = names.map((name) => {
      const change = name === "linkSync" && !hasLinks ? refuse : real[name];
      const replaced = (...given: unknown[]) => {
        if (String(given[0]).includes("platform.db")) copyTo(join(copies, String(++step)));
        return (change as (...given: unknown[]) => unknown)(...given);
      };
      return [name, replaced];
    });
    return Object.fromEntries(recording);
  });
}

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

function copyOf({ folder }: Prepared): string {
  const copy = join(temporaryFolder(), "data");
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function wordsFor({ backup }: Prepared, folder: string): string[] {
  return ["restore", backup, "--data-dir", folder, "--yes"];
}

/** Restores in a process of its own, which is killed at this step. Returns its folder. */
function restoreKilledAt(prepared: Prepared, step: string): string {
  const folder = copyOf(prepared);
  const preload = join(temporaryFolder(), "killer.mjs");
  writeFileSync(preload, killer);
  const { signal } = spawnSync(join(bin, "platform"), wordsFor(prepared, folder), {
    env: cleanEnv({ NODE_OPTIONS: `--import=${pathToFileURL(preload)}`, KILL_AT: step }),
  });
  expect(signal).toBe("SIGKILL");
  return folder;
}

/**
 * Returns the different folders that a kill leaves, in the order of the steps. Each is named after
 * its first step.
 */
async function killedAtAnyStep(prepared: Prepared, hasLinks = true): Promise<string[]> {
  const copies = temporaryFolder();
  const folder = copyOf(prepared);
  recordSteps(folder, copies, hasLinks);
  expect(await cli(wordsFor(prepared, folder))).toMatchObject({ status: 0 });
  const steps = readdirSync(copies).map(Number);
  let before: unknown;
  return steps
    .sort((a, b) => a - b)
    .map((step) => join(copies, String(step)))
    .filter((copy) => {
      const content = namesIn(copy).map((name) => {
        const file = join(copy, name);
        return [name, statSync(file).nlink, readFileSync(file)];
      });
      const isNew = !isDeepStrictEqual(content, before);
      before = content;
      return isNew;
    });
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
  const copies = await killedAtAnyStep(prepared);
  const interrupted = copies.find((one) => namesIn(one).includes("platform.db.restoring")) ?? "";
  const folder = restoreKilledAt(prepared, basename(interrupted));
  // The copies are the same as the files after a real kill.
  expect(namesIn(folder)).toEqual(namesIn(interrupted));
  const server = await startServer({ dataDir: folder });
  expect(server.stderr()).toContain("a restore was interrupted before it replaced anything");
  await expectOneCompleteDatabase(copies);
});

test("a restore killed at any step leaves one complete database, even without hard links", async () => {
  await expectOneCompleteDatabase(await killedAtAnyStep(await prepare(), false));
});

test("after a killed restore, the next restore keeps a damaged database unchanged", async () => {
  const prepared = await prepare();
  const damaged = join(prepared.folder, "platform.db");
  writeFileSync(damaged, "broken ".repeat(1000));
  const log = readFileSync(`${damaged}-wal`);
  let movedAside = 0;
  const folders = (await killedAtAnyStep(prepared)).filter((_, at) => at % size(2, 1) === 0);
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
