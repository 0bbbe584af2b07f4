// The tests that every run also runs on PostgreSQL: those about what differs between the engines,
// which is mostly what happens at the same time, and transactions that fail. `npm run test:postgresql`
// runs many more.

/** By file: all of its tests, or those whose own name or whose `describe` begins like this. */
export const alsoOnPostgres: Readonly<Record<string, "all" | readonly string[]>> = {
  "test/core/races.test.ts": "all",
  "test/core/commands/delivery.test.ts": [
    "a poll that is replaced while it claims commands",
    "an agent that is disabled in the same event loop turn",
  ],
  "test/core/commands/held-polls.test.ts": [
    "creating and delivering a command is one commit",
    "if the creation fails",
    "a write that runs again because of another one",
    "a token that is revoked in the same transaction",
    "a poll that ends while its token is looked up",
    "if nobody can tell whether the commit is durable",
  ],
  // Every write is atomic in the same way, so one is enough.
  "test/core/audit/trail.test.ts": ["declarations.apply"],
  "test/core/schedules/once.test.ts": [
    "an action runs once although two nodes",
    "a rollout runs once although two nodes",
    "a crash between the due time and the rollout",
  ],
  "test/core/schedules/approval.test.ts": ["a rollout with an empty list"],
  "test/core/schedules/starters.test.ts": ["a rollout that the job creates before its caller"],
  "test/core/approval-decisions/decisions.test.ts": [
    "at the same time make one command",
    "an approval and a withdrawal at the same time",
  ],
  "test/core/bus/atomic.test.ts": "all",
  "test/core/bus/races.test.ts": [
    "after a route is deleted",
    "an event that is repeated during its deletion",
  ],
};

/** Returns what the list has for a file. */
export function namesOnPostgres(file: string): "all" | readonly string[] {
  return alsoOnPostgres[file] ?? [];
}
