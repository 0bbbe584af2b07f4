// Creates the templates that tests copy, once per run: a migrated, empty database for test apps;
// the data folder of a server with an owner; and the bundled programs, laid out like an installed
// package. Their password hashes are cheap (cheap-passwords.ts).

import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { layOut } from "../../scripts/build/lay-out.ts";
import { createApp, realWorld } from "../../src/app.ts";
import { inChild } from "../../src/cli/files/child-processes.ts";
import { loadConfig } from "../../src/config/config.ts";
import { placeOf } from "../../src/domain/storage/place.ts";
import { openDatabase } from "../../src/store/engine/sqlite/open.ts";
import { takeMigrationNote } from "../../src/store/files/migration-note.ts";
import { builtConsoleFolder } from "./browser/built-console.ts";
import { cheapScryptCost, makeBundleCheap } from "./cheap-passwords.ts";
import { isLong } from "./size.ts";
import { startOfTime } from "./start-of-time.ts";
import { templateOwner } from "./template-owner.ts";

declare module "vitest" {
  interface ProvidedContext {
    templateDatabase: string;
    templateDataDir: string;
    /** A folder that contains `bin/`. */
    installedProgram: string;
  }
}

/** Creates the templates. Returns the function that removes them. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "platform-template-"));
  // Tests that run as root also work as other users, in data folders inside this one.
  chmodSync(folder, 0o755);
  // Programs that run from source start in half the time with code that an earlier one compiled.
  // All processes of the tests, and the programs that they start, inherit this variable.
  process.env.NODE_COMPILE_CACHE = join(folder, "compile-cache");
  const file = join(folder, "platform.db");
  await (await open(file, () => startOfTime)).database.close();
  const dataDir = join(folder, "data");
  await makeDataDir(dataDir);
  project.provide("templateDatabase", file);
  project.provide("templateDataDir", dataDir);
  const installed = join(folder, "installed");
  await layOut(installed);
  makeBundleCheap(join(installed, "dist"));
  // Long tests measure the programs, so there the programs run with their own flags.
  if (!isLong) collectInOneThread(join(installed, "bin/launch.sh"));
  // The link leads nowhere until a test needs the console.
  symlinkSync(join(builtConsoleFolder(), "dist/console"), join(installed, "dist/console"));
  project.provide("installedProgram", installed);
  return () => {
    delete process.env.NODE_COMPILE_CACHE;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The threads of the garbage collector cost a short program more CPU time than they save. */
function collectInOneThread(launcher: string): void {
  const text = readFileSync(launcher, "utf8");
  const flag = "--disable-sigusr1";
  if (!text.includes(flag)) throw new Error(`${launcher} does not contain ${flag}`);
  writeFileSync(launcher, text.replace(`"${flag} `, `"${flag} --single-threaded-gc `));
}

async function makeDataDir(dataDir: string): Promise<void> {
  const { username, password } = templateOwner;
  const owner = { ADMIN_USERNAME: username, ADMIN_PASSWORD: password };
  const config = loadConfig({ DATA_DIR: dataDir, ...owner }, "0.0.0");
  const opened = await open(join(dataDir, "platform.db"), Date.now);
  const world = { ...realWorld, ...inChild, scryptCost: cheapScryptCost };
  const app = createApp(config, { place: placeOf(config), ...opened }, world);
  await app.welcomeOwner();
  await app.noteStarted();
  await app.close();
  await app.noteStopped();
  await opened.database.close();
}

/** Opens the database. Removes the note by which the next start would audit the migrations. */
async function open(file: string, now: () => number) {
  const opened = openDatabase({ file, busyTimeoutMs: 5000, schema: "apply", now });
  await opened.database.write(takeMigrationNote);
  return opened;
}
