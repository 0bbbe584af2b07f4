// How the tests run: every file in test/ that ends in .test.ts, in child processes (the native
// database module and signal handling want real processes).

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Rooms without I/O. Their tests leave nothing behind: they share a process, which spares the start of many. */
const pure = ["test/{api,domain,lib}/**/*.test.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    // A golden file that is missing or differs fails; `vitest run FILE --update=all` writes it anew.
    update: "none",
    // Much of what the tests do is waiting: no core is kept free for it.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: "service",
          include: ["test/**/*.test.ts"],
          exclude: pure,
          globalSetup: "test/helpers/template.ts",
        },
      },
    ],
  },
});
