// How the tests run: every file in test/ that ends in .test.ts, in child processes (the native
// database module and signal handling want real processes).
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/helpers/template.ts",
    pool: "forks",
    // A golden file that is missing or differs fails; `vitest run FILE --update=all` writes it anew.
    update: "none",
    // Much of what the tests do is waiting: no core is kept free for it.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
