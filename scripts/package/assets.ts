// Lays out what goes into a packaged file beside its start, under the names by which the program looks for
// it (src/packaged/assets.ts, src/lib/project-files.ts).

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { constants, zstdCompressSync } from "node:zlib";
import { codeCacheAsset, nativeAsset, partAsset } from "../../src/packaged/assets.ts";
import { projectFolder } from "../build/project.ts";

export interface Contents {
  parts: Map<string, string>;
  /** The file of the native module. */
  native: string;
  licences: string;
  /** Whether V8's work on the parts goes along: only for the platform of this Node.js itself. */
  codeCache: boolean;
}

/** Writes them into the folder. Answers the file of each by its name. */
export function writeAssets(folder: string, contents: Contents): Record<string, string> {
  const assets: Record<string, string> = {};
  const add = (name: string, content: string | Uint8Array) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, compressed(content));
    assets[name] = file;
  };
  for (const [name, text] of contents.parts) {
    add(partAsset(name), text);
    if (contents.codeCache) add(codeCacheAsset(name), codeCacheOf(name, text));
  }
  const native = readFileSync(contents.native);
  const sha256 = createHash("sha256").update(native).digest("hex");
  add(nativeAsset(sha256), native);
  for (const name of projectFiles()) add(name, readFileSync(join(projectFolder, name)));
  add("dist/licenses.txt", contents.licences);
  return assets;
}

/** What the program reads of its project. */
function projectFiles(): string[] {
  const migrations = "migrations/sqlite";
  const names = readdirSync(join(projectFolder, migrations)).sort();
  return ["package.json", ...names.map((name) => `${migrations}/${name}`)];
}

/** The functions that are needed at once, compiled. */
function codeCacheOf(name: string, text: string): Uint8Array {
  return new Script(text, { filename: name }).createCachedData();
}

function compressed(content: string | Uint8Array): Uint8Array {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
}
