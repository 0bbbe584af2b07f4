// How the tests run: every file in test/ that ends in .test.ts, in child processes (the native
// database module and signal handling want real processes).

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { memoryFolder } from "./test/helpers/memory-folder.ts";

const files = "test/**/*.test.ts";

/**
 * Their tests leave nothing behind and share a process: to start one and load the rooms costs half a
 * second. Those that replace a module, or change the engine for good, get one of their own.
 */
const shared = globSync(files, { cwd: import.meta.dirname }).filter((file) => {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return !/\bvi\.mock\(|setFlagsFromString/.test(text);
});

const memory = memoryFolder();
// Of all processes of the tests, and of the programs that they start.
if (memory !== null) process.env.TMPDIR ??= memory;

export default defineConfig({
  test: {
    pool: "forks",
    // A golden file that is missing or differs fails; `vitest run FILE --update=all` writes it anew.
    update: "none",
    // A quarter of what the tests do is waiting: one process more than there are cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: "test/helpers/template.ts",
    projects: [
      { extends: true, test: { name: "shared", include: shared, isolate: false } },
      {
        extends: true,
        test: { name: "alone", include: [files], exclude: shared },
      },
    ],
  },
});
