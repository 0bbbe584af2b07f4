// The test files that `npm test` also runs on PostgreSQL: what differs between the engines, such as
// concurrency, time and the audit chain. `npm run test:postgresql` runs all of `core` and `http` there.

export const alsoOnPostgres: readonly string[] = [
  "test/core/races.test.ts",
  "test/core/sweep.test.ts",
  "test/core/story.test.ts",
];
