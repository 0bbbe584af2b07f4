// How the tests run: every file in test/ that ends in .test.ts, in child processes (the native
// database module and signal handling want real processes).

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { memoryFolder } from "./test/helpers/process/memory-folder.ts";

const isLong = process.env.LONG_TESTS === "1";

/** All, but what only its size makes slow; `npm run test:long` runs that alone, in full size. */
const files = globSync("test/**/*.test.ts", { cwd: import.meta.dirname })
  .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), "utf8") }))
  .filter(({ file, text }) => {
    const isOnlyLong = file.endsWith(".long.test.ts");
    return isLong ? isOnlyLong || /helpers\/size\.ts"/.test(text) : !isOnlyLong;
  });

/** A browser and a build of the console are made ready for these alone. */
const browser = having(/helpers\/browser\/(browser|console-files)\.ts"/);

/** These replace one module, all in the same way. */
const parts = having(/\(\) => import\("[./\w]+\/parts-in-process\.ts"\)/);

/** These replace others, or change the engine for good: each has a process of its own. */
const alone = having(/\bvi\.mock\(|setFlagsFromString/).filter((file) => !parts.includes(file));

/** The others leave nothing behind and share a process: to start one and load the rooms costs a second. */
const shared = having(/^/).filter((file) => ![...browser, ...parts, ...alone].includes(file));

function having(pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
}

/** Whatever starts programs or a browser begins early: a long file at the end would be waited for alone. */
class SlowFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      /\/test\/(console|e2e|attacks|cli\/manual)/.test(moduleId);
    const sorted = await super.sort(specs);
    return [...sorted.filter(isSlow), ...sorted.filter((spec) => !isSlow(spec))];
  }
}

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
    sequence: { sequencer: SlowFirst },
    projects: [
      { extends: true, test: { name: "shared", include: shared, isolate: false } },
      { extends: true, test: { name: "parts", include: parts, isolate: false } },
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: {
          name: "browser",
          include: browser,
          isolate: false,
          globalSetup: "test/helpers/browser/browser-setup.ts",
          // Each is a whole story of a person.
          testTimeout: 150_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
