// What lies inside the packaged file beside the files of the project: scripts/package puts it there, this
// room reads it. All of it is compressed.

import { getRawAsset } from "node:sea";
import { zstdDecompressSync } from "node:zlib";

/** A part of the bundle. */
export const partAsset = (name: string) => `parts/${name}`;
/** What V8 made of the part when it was packaged; absent for another platform than that of the build. */
export const codeCacheAsset = (name: string) => `code-cache/${name}`;
/** The native module: its name says what is in it, and where it goes. */
export const nativeFolder = "native/";
export const nativeAsset = (sha256: string) => `${nativeFolder}${sha256}/better_sqlite3.node`;

/** Throws when there is none. */
export function readAsset(name: string): Buffer {
  return zstdDecompressSync(new Uint8Array(getRawAsset(name)));
}
