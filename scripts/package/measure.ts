import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { constants, zstdCompressSync } from "node:zlib";

/**
 * `ownBytes` limits how much larger the file is than its Node.js. `ratio` limits the time of
 * `--version`, as a multiple of bare Node's start time.
 */
export const limits = { ownBytes: 5_000_000, ratio: 3 };

const rounds = 9;

export interface Size {
  bytes: number;
  /** The size after `zstd -9`. */
  compressedBytes: number;
}

export function measureSize(file: string): Size {
  const content = readFileSync(file);
  const params = { [constants.ZSTD_c_compressionLevel]: 9 };
  return { bytes: content.length, compressedBytes: zstdCompressSync(content, { params }).length };
}

/**
 * Returns the time of `--version` divided by the time of `node -e 0`. Rounds alternate, so that
 * other load on the machine affects both. Throws if the file does not run.
 */
export function measureStart(file: string, node: string): number {
  const ratios = Array.from({ length: rounds }, () => {
    const bareMs = timeOf(node, ["-e", "0"]);
    return timeOf(file, ["--version"]) / bareMs;
  });
  return ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function timeOf(program: string, words: string[]): number {
  const began = performance.now();
  const { status, error, stderr } = spawnSync(program, words, { env: {} });
  if (status === 0) return performance.now() - began;
  throw new Error(`${program} ${words.join(" ")} ended with ${status}: ${error ?? stderr}`);
}
