// Stores the assets of a packaged file under the names that the program uses
// (src/packaged/assets.ts, src/lib/files/project-files.ts).

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { docPages } from "../../src/cli/commands/docs/pages.ts";
import { codeCacheAsset, nativeAsset, partAsset } from "../../src/packaged/assets.ts";
import { projectFolder } from "../build/project.ts";

export interface Contents {
  parts: Map<string, string>;
  /** The file of the native module. */
  native: string;
  licences: string;
  /** The keys are paths in the project. */
  console: Map<string, Uint8Array>;
}

/** Returns each asset's file by the asset's name. */
export function writeAssets(folder: string, contents: Contents): Record<string, string> {
  const assets: Record<string, string> = {};
  const add = (name: string, content: string | Uint8Array) => {
    assets[name] = writeAsset(folder, name, content);
  };
  for (const [name, text] of contents.parts) add(partAsset(name), text);
  const native = readFileSync(contents.native);
  const sha256 = createHash("sha256").update(native).digest("hex");
  add(nativeAsset(sha256), native);
  for (const name of projectFiles()) add(name, readFileSync(join(projectFolder, name)));
  for (const [name, content] of contents.console) add(name, content);
  add("dist/licenses.txt", contents.licences);
  return assets;
}

/** The keys are names of parts. */
export function writeCodeCaches(
  folder: string,
  caches: Map<string, Uint8Array>,
): Record<string, string> {
  const names = [...caches].map(([part, cache]) => {
    const name = codeCacheAsset(part);
    return [name, writeAsset(folder, name, cache)];
  });
  return Object.fromEntries(names);
}

/** Returns the asset's file. */
function writeAsset(folder: string, name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, compressed(content));
  return file;
}

function projectFiles(): string[] {
  const names = ["sqlite", "postgresql"].flatMap((engine) => {
    const folder = `migrations/${engine}`;
    return readdirSync(join(projectFolder, folder))
      .sort()
      .map((name) => `${folder}/${name}`);
  });
  return ["package.json", ...names, ...docPages().map(({ file }) => file)];
}

function compressed(content: string | Uint8Array): Uint8Array {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
}
