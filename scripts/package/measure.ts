// What a packaged file costs: its size, and how long it takes to start beside bare Node.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { constants, zstdCompressSync } from "node:zlib";

/** The most that a file may have, and the most starts of bare Node that `--version` may take. */
export const limits = { bytes: 130_000_000, ratio: 3 };

const rounds = 9;

export interface Size {
  bytes: number;
  /** With `zstd -9`. */
  compressedBytes: number;
}

export function measureSize(file: string): Size {
  const content = readFileSync(file);
  const params = { [constants.ZSTD_c_compressionLevel]: 9 };
  return { bytes: content.length, compressedBytes: zstdCompressSync(content, { params }).length };
}

/**
 * How many times as long `--version` takes as `node -e 0`: the median of rounds in turn, so that whatever else
 * the machine does meets both. Throws when the file does not run.
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
