// The files inside a packaged program, which scripts/package has compressed.

import { getRawAsset } from "node:sea";
import { zstdDecompressSync } from "node:zlib";

/** Throws if there is no file of this name. */
export function readAsset(name: string): Buffer {
  return zstdDecompressSync(new Uint8Array(getRawAsset(name)));
}
