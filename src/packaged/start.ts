// The entry point of a packaged program. It loads the parts of the bundle from the packaged file.

import { getAssetKeys } from "node:sea";
import { constants, Script } from "node:vm";
import { readAsset } from "../lib/files/packaged-assets.ts";
import { codeCacheAsset, partAsset } from "./assets.ts";

interface Part {
  exports: unknown;
}

type Load = (...given: [unknown, (name: string) => unknown, Part, string, string]) => void;

const inside = new Set(getAssetKeys());
const loaded = new Map<string, Part>();

function loadPart(name: string): unknown {
  const known = loaded.get(name);
  // If parts require each other, they get the exports that exist so far.
  if (known) return known.exports;
  const part: Part = { exports: {} };
  loaded.set(name, part);
  const cache = codeCacheAsset(name);
  const script = new Script(readAsset(partAsset(name)).toString(), {
    filename: name,
    cachedData: inside.has(cache) ? readAsset(cache) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const load: Load = script.runInThisContext();
  load(part.exports, requireFrom, part, process.execPath, "/");
  return part.exports;
}

/** For an unknown name, throws the error that packages expect for a missing optional package. */
function requireFrom(name: string): unknown {
  if (name.startsWith("./")) return loadPart(name.slice("./".length));
  const builtin = process.getBuiltinModule(name);
  if (builtin) return builtin;
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
}

loadPart("main.js");
