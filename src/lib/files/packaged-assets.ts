// Reads the files in a packaged program, which scripts/package compressed.

import { getRawAsset } from "node:sea";

/** Throws if there is no file with this name. */
export function readAsset(name: string): Buffer {
  // Only packaged programs need this module, which takes a tenth of the time of a short command to load.
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
  return zstdDecompressSync(new Uint8Array(getRawAsset(name)));
}
