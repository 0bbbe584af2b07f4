// Loads the parts as the packaged program does (src/packaged/start.ts), runs the commands one after
// the other, and stores V8's code cache for each part that they have loaded.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";
import { type CacheJob, cacheFile, type WarmUp } from "./code-cache.ts";

const { folder, assets, commands }: CacheJob = JSON.parse(readFileSync(0, "utf8"));

interface Part {
  exports: unknown;
}

const main = "main.js";
const scripts = new Map<string, Script>();
const loaded = new Map<string, Part>();

function loadPart(name: string): unknown {
  const known = loaded.get(name);
  if (known) return known.exports;
  const part: Part = { exports: {} };
  loaded.set(name, part);
  const script = scripts.get(name) ?? compiled(name);
  scripts.set(name, script);
  script.runInThisContext()(part.exports, requireFrom, part, process.execPath, "/");
  return part.exports;
}

function compiled(name: string): Script {
  return new Script(readFileSync(join(folder, name), "utf8"), {
    filename: name,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

function requireFrom(name: string): unknown {
  return name.startsWith("./") ? loadPart(name.slice("./".length)) : builtin(name);
}

/** The assets, as the packaged program finds them in itself. */
const sea = {
  isSea: () => true,
  getAssetKeys: () => Object.keys(assets),
  getRawAsset: (name: string) => readFileSync(assets[name] ?? ""),
};

const { getBuiltinModule } = process;
const builtin = (name: string) => (name === "node:sea" ? sea : getBuiltinModule(name));
process.getBuiltinModule = builtin as typeof getBuiltinModule;

let running: WarmUp | undefined;

// A command has ended when nothing keeps the process alive.
process.on("beforeExit", () => {
  requireStatus(running);
  running = commands.shift();
  if (!running) return storeCaches();
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...running.words);
  loaded.delete(main);
  loadPart(main);
  // Node emits this event again only after something has kept the process alive.
  setImmediate(() => undefined);
});

function requireStatus(ended: WarmUp | undefined): void {
  if (!ended || process.exitCode === ended.status) return;
  throw new Error(`\`${ended.words.join(" ")}\` ended with ${process.exitCode}`);
}

function storeCaches(): void {
  // A cache is valid only for the flags that it was made with, and the program runs without flags.
  setFlagsFromString("--hash-seed=0");
  setFlagsFromString("--flush-bytecode");
  for (const [name, script] of scripts) {
    writeFileSync(cacheFile(folder, name), script.createCachedData());
  }
  process.exitCode = 0;
}
