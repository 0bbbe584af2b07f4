// Tests run in child processes, because the native database module and signals need real processes.

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { memoryFolder } from "./test/helpers/process/memory-folder.ts";

const isLong = process.env.LONG_TESTS === "1";
const isOnPostgres = process.env.TEST_DATABASE === "postgresql";

/**
 * All tests except those that are slow because they are large; `npm run test:long` runs only those.
 */
const include = globSync("test/**/*.test.ts", { cwd: import.meta.dirname })
  .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), "utf8") }))
  .filter(({ file, text }) => {
    const isOnlyLong = file.endsWith(".long.test.ts");
    return isLong
      ? isOnlyLong || /helpers\/size\.ts"|\bexpectAccessible\(/.test(text)
      : !isOnlyLong;
  })
  .filter(({ file, text }) => !isOnPostgres || usesPostgres(file, text))
  .map(({ file }) => file);

/** Whether a file has tests that `TEST_DATABASE=postgresql` runs in another way. */
function usesPostgres(file: string, text: string): boolean {
  if (/^sqliteOnly\(/m.test(text)) return false;
  const opensDatabase =
    /\b(openWorld|openTestApp|listenTestApp|openSite|openSignedIn|emptyCluster)\b|[{,] world\b/;
  return !file.startsWith("test/cli/") || opensDatabase.test(text);
}

/**
 * Starts the console's tests first, and then those that start programs, because a long file at the
 * end would run alone.
 */
class SlowFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      if (/\/test\/console\//.test(moduleId)) return 0;
      return /\/test\/(e2e|attacks|agent|cli\/manual)/.test(moduleId) ? 1 : 2;
    };
    return (await super.sort(specs)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// Shells warn if LC_ALL names a locale that is not installed, but not if LANG does.
if (process.env.LC_ALL !== undefined) {
  process.env.LANG = process.env.LC_ALL;
  delete process.env.LC_ALL;
}

/**
 * Ends a test that hangs. It is long, because other work may slow the machine, and the console's
 * tests have many steps.
 */
const mostMs = isLong ? 7_200_000 : 600_000;

const memory = memoryFolder();
// All processes of the tests, and the programs that they start, inherit this variable.
if (memory !== null) process.env.TMPDIR ??= memory;

export default defineConfig({
  test: {
    include,
    pool: "forks",
    // A process runs many files, because starting one and loading the sources takes a second.
    isolate: false,
    // A missing or different golden file fails; `vitest run FILE --update=all` writes it.
    update: "none",
    // Fewer garbage collections.
    execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=32", "--single-threaded-gc"],
    // Many tests wait most of the time, so more processes than cores are faster.
    maxWorkers: availableParallelism() + 2,
    testTimeout: mostMs,
    hookTimeout: mostMs,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: [
      "test/helpers/template.ts",
      "test/helpers/postgres-setup.ts",
      "test/helpers/browser/browser-setup.ts",
    ],
    sequence: { sequencer: SlowFirst },
  },
});
