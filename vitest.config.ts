// How the tests run: every file in test/ that ends in .test.ts, in child processes (the native
// database module and signal handling want real processes).
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/helpers/template.ts",
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
