// Makes the packaged file with pkg. pkg would download Node.js, so it gets a cache that already
// contains it, and no access to the network.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../build/project.ts";
import { nodeFlags } from "./node-flags.ts";
import type { Material, Target } from "./targets.ts";

/** The version of pkg whose private module and cache this script uses. */
const pkgVersion = "6.23.0";

export interface Ingredients {
  target: Target;
  material: Material;
  /** The script that the file starts with. */
  start: string;
  /** Stores the assets in a folder. Returns each asset's file by the asset's name. */
  assets: (folder: string) => Promise<Record<string, string>>;
}

export async function makeExecutable(file: string, ingredients: Ingredients): Promise<void> {
  requirePkg();
  // Another version may not have this module.
  const { default: pkg } = await import("@yao-pkg/pkg/lib-es5/sea.js");
  const { target, material, start, assets } = ingredients;
  const folder = mkdtempSync(join(tmpdir(), "platform-package-"));
  try {
    const main = join(folder, "start.js");
    writeFileSync(main, start);
    fillCache(folder, target, material);
    const seaConfig = {
      // The path is relative to pkg's working folder, and is stored in the file, so it must always
      // be the same.
      main: "../start.js",
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgv: nodeFlags,
      // NODE_OPTIONS is for other programs.
      execArgvExtension: "none",
      assets: await assets(folder),
    };
    const { platform, arch } = target;
    const nodeRange = `node${material.nodeVersion}`;
    const out = join(folder, "executable");
    const targets = [{ nodeRange, platform, arch, output: out }];
    await inside(folder, () => pkg.default(main, { targets, seaConfig, signature: true }));
    copyFileSync(out, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws if another version of pkg is installed, whose module or cache may differ. */
export function requirePkg(modules = join(projectFolder, "node_modules")): void {
  const about = JSON.parse(readFileSync(join(modules, "@yao-pkg/pkg/package.json"), "utf8"));
  if (about.version === pkgVersion) return;
  throw new Error(
    `@yao-pkg/pkg ${about.version} is installed, but scripts/package/executable.ts is written for ` +
      `${pkgVersion}: it uses a private module of pkg, and prepares its cache. Run \`npm ci\`. To ` +
      "change to another version, compare lib-es5/sea.js, adapt the script and its `pkgVersion`, " +
      "and run `npm run test:binary`.",
  );
}

/**
 * Creates the state that pkg leaves after a download. The `.ok` files mean that the archive is
 * verified and unpacked.
 */
function fillCache(home: string, target: Target, { node, nodeVersion }: Material): void {
  const cache = join(home, ".pkg-cache/sea");
  const system = target.platform === "macos" ? "darwin" : target.platform;
  const name = `node-v${nodeVersion}-${system}-${target.arch}`;
  const isWindows = target.platform === "win";
  const archive = join(cache, `${name}.${isWindows ? "zip" : "tar.gz"}`);
  const executable = isWindows ? join(cache, `${name}.exe`) : join(cache, name, "bin/node");
  mkdirSync(join(executable, ".."), { recursive: true });
  symlinkSync(node, executable);
  for (const file of [archive, `${archive}.ok`, `${executable}.ok`]) writeFileSync(file, "");
}

/** Runs `work` with this folder as the home and temporary folder, and without a network. */
async function inside(folder: string, work: () => Promise<void>): Promise<void> {
  const { fetch, process } = globalThis;
  const names = ["HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = folder;
  globalThis.fetch = async (url) => {
    throw new Error(`packaging must not download anything, but pkg requested ${url}`);
  };
  try {
    await work();
  } finally {
    globalThis.fetch = fetch;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
