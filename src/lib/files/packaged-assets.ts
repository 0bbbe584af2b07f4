// Reads the files in a packaged program, which scripts/package compressed.

import { getRawAsset } from "node:sea";

/** Throws if there is no file with this name. */
export function readAsset(name: string): Buffer {
  // Loads this module here, because only packaged programs need it, and loading it takes a tenth of
  // the time of a short command.
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
  return zstdDecompressSync(new Uint8Array(getRawAsset(name)));
}
