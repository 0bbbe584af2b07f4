// Reads the files in a packaged program, which scripts/package compressed.

import { getRawAsset } from "node:sea";
import { zstdDecompressSync } from "node:zlib";

/** Throws if there is no file with this name. */
export function readAsset(name: string): Buffer {
  return zstdDecompressSync(new Uint8Array(getRawAsset(name)));
}
