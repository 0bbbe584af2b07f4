// How the tests run: every file in test/ that ends in .test.ts, in child processes (the native
// database module and signal handling want real processes).

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Their tests leave nothing behind and share a process: to start one and load the rooms costs half a second. */
const rooms = "test/!(e2e)/**/*.test.ts";

/** But for those that change what all in a process have: they get one of their own, like the rest. */
const needsOwn = /\bvi\.(mock|stub\w+|useFakeTimers)\(|setFlagsFromString/;

/** A browser and a build of the console are made ready for these alone. */
const needsBrowser = /helpers\/(browser|console-files)\.ts"/;

const browser = having(needsBrowser, globSync("test/**/*.test.ts", { cwd: import.meta.dirname }));
const inRooms = globSync(rooms, { cwd: import.meta.dirname });
const alone = [...having(needsOwn, inRooms), ...browser];
const shared = inRooms.filter((file) => !alone.includes(file));

function having(pattern: RegExp, files: string[]): string[] {
  return files.filter((file) =>
    pattern.test(readFileSync(join(import.meta.dirname, file), "utf8")),
  );
}

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
        test: { name: "alone", include: ["test/**/*.test.ts"], exclude: [...shared, ...browser] },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: browser,
          globalSetup: "test/helpers/browser-setup.ts",
        },
      },
    ],
  },
});
