// What lies inside of a program that is a single file: scripts/package has compressed all of it.

import { getRawAsset } from "node:sea";
import { zstdDecompressSync } from "node:zlib";

/** By its name. Throws when there is none. */
export function readAsset(name: string): Buffer {
  return zstdDecompressSync(new Uint8Array(getRawAsset(name)));
}
