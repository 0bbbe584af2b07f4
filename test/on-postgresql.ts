// The test files that every run also runs on PostgreSQL: those about what differs between the engines,
// which is mostly what happens at the same time. `npm run test:postgresql` runs many more.

export const alsoOnPostgres: readonly string[] = [
  "test/core/story.test.ts",
  "test/core/races.test.ts",
  "test/core/sweep.test.ts",
  "test/core/access/sessions.test.ts",
  "test/core/agent-calls/held-polls.test.ts",
  "test/core/agent-calls/output.test.ts",
  "test/core/agent-calls/polls.test.ts",
  "test/core/agent-calls/registration.test.ts",
  "test/core/agent-calls/results.test.ts",
  "test/core/audit/trail.test.ts",
  "test/core/schedules/once.test.ts",
  "test/core/approvals/decisions.test.ts",
  "test/core/declarations/apply.test.ts",
  "test/core/search/search.test.ts",
  "test/core/bus/atomic.test.ts",
  "test/core/bus/races.test.ts",
];
