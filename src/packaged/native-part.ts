// Loads SQLite, the one native part of the program: the system loads such code from files alone, so it is
// unpacked. It is kept for the next start where that can be done safely; else it is gone as soon as it is
// loaded.

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

interface Place {
  folder: string;
  load: (folder: string) => object;
}

let loaded: object | null = null;
let home: string | null = null;

/**
 * The module, for opening this database file. It is loaded once. Throws when there is no place from which it
 * can be.
 */
export function loadNativePart(databaseFile: string): object {
  loaded ??= loadFromFirst(placesFor(databaseFile));
  return loaded;
}

/** The folder in which it is kept; null when it is not. */
export function nativeHome(): string | null {
  return home;
}

function placesFor(databaseFile: string): Place[] {
  const cache = cacheHome();
  const { DATA_DIR } = readEnv();
  const beside = dirname(resolve(databaseFile));
  return [
    ...(cache !== null && existsSync(dirname(cache))
      ? [{ folder: join(cache, "platform"), load: loadKept }]
      : []),
    ...(DATA_DIR === undefined ? [] : [{ folder: resolve(DATA_DIR), load: loadKept }]),
    { folder: tmpdir(), load: loadOnce },
    // Where the data is somebody can write; but it may be the folder of a backup, and is left clean if it can.
    ...(existsSync(beside) ? [{ folder: beside, load: loadKept }] : []),
  ];
}

function loadFromFirst(places: Place[]): object {
  const problems: string[] = [];
  for (const { folder, load } of places) {
    try {
      return load(folder);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(
    `SQLite cannot be unpacked from the program: ${problems.join("; ")}; set XDG_CACHE_HOME or ` +
      "PLATFORM_DATA_DIR to a folder of this user alone, on a file system that is not mounted noexec",
  );
}

function loadKept(folder: string): object {
  const file = keepFile(folder, asset(), () => readAsset(asset()));
  const module = load(file);
  home = dirname(file);
  return module;
}

/** From a folder that nobody else can look into, and that is gone afterwards. */
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
      // Windows does not remove what is loaded.
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
  throw new Error("this file was packaged without it");
}
