// Loads SQLite, the only native module. The operating system loads it only from a file, which is
// kept for the next start if that is safe, and otherwise removed after loading.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getAssetKeys } from "node:sea";
import { cacheHome, readEnv } from "../config/env.ts";
import { readAsset } from "../lib/files/packaged-assets.ts";
import { nativeFolder } from "./assets.ts";
import { makeDraftFolder } from "./draft-folder.ts";
import { keepFile } from "./kept-file.ts";
import { requireTrusted } from "./trusted-folder.ts";

interface Candidate {
  folder: string;
  load: (folder: string) => object;
}

let loaded: object | null = null;
let home: string | null = null;

/** Loads the module once. Throws if no folder is usable. */
export function loadNativePart(databaseFile: string): object {
  loaded ??= loadFromFirst(candidatesFor(databaseFile));
  return loaded;
}

/** Returns null if the unpacked file was not kept. */
export function nativeHome(): string | null {
  return home;
}

function candidatesFor(databaseFile: string): Candidate[] {
  const cache = cacheHome();
  const { DATA_DIR } = readEnv();
  const beside = dirname(resolve(databaseFile));
  return [
    ...(cache !== null && existsSync(dirname(cache))
      ? [{ folder: join(cache, "platform"), load: loadKept }]
      : []),
    ...(DATA_DIR === undefined ? [] : [{ folder: resolve(DATA_DIR), load: loadKept }]),
    { folder: tmpdir(), load: loadOnce },
    // The database's folder is tried last, because it should contain only data.
    ...(existsSync(beside) ? [{ folder: beside, load: loadKept }] : []),
  ];
}

function loadFromFirst(candidates: Candidate[]): object {
  const problems: string[] = [];
  for (const { folder, load } of candidates) {
    try {
      return load(folder);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(
    `SQLite cannot be unpacked from the program: ${problems.join("; ")}. Set XDG_CACHE_HOME or ` +
      "PLATFORM_DATA_DIR to a folder private to this user, on a file system mounted without noexec",
  );
}

function loadKept(folder: string): object {
  const file = keepFile(folder, asset(), () => readAsset(asset()));
  const module = load(file);
  home = dirname(file);
  return module;
}

/** Removes the folder after loading. */
function loadOnce(folder: string): object {
  requireTrusted(folder);
  const own = makeDraftFolder(folder, "platform-sqlite-");
  try {
    const file = join(own, "better_sqlite3.node");
    writeFileSync(file, readAsset(asset()), { mode: 0o500, flag: "wx" });
    return load(file);
  } finally {
    try {
      rmSync(own, { recursive: true, force: true });
    } catch {
      // Windows cannot remove a loaded file.
    }
  }
}

function load(file: string): object {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}

function asset(): string {
  const found = getAssetKeys().find((name) => name.startsWith(nativeFolder));
  if (found) return found;
  throw new Error("the program was packaged without SQLite");
}
