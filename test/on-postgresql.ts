// The tests that every run also runs on PostgreSQL: those about what differs between the engines,
// which is mostly what happens at the same time, and transactions that fail. `npm run test:postgresql`
// runs many more.

/** By file: all of its tests, or those whose own name or whose `describe` begins like this. */
export const alsoOnPostgres: Readonly<Record<string, "all" | readonly string[]>> = {
  "test/core/story.test.ts": "all",
  "test/core/races.test.ts": "all",
  "test/core/access/sessions.test.ts": [
    "reads work while the storage cannot write",
    "another process ending all sessions",
  ],
  "test/core/agent-calls/output.test.ts": ["many calls at the same time are stored or refused"],
  "test/core/commands/delivery.test.ts": [
    "a command created by another process ends the poll",
    "a poll that is replaced while it claims commands",
    "an agent that is disabled in the same event loop turn",
    "calls admitted before the agent was disabled",
  ],
  "test/core/commands/held-polls.test.ts": [
    "creating and delivering a command is one commit",
    "if the creation fails",
    "a write that runs again because of another one",
    "a token that is revoked in the same transaction",
    "a poll that ends while its token is looked up",
    "if nobody can tell whether the commit is durable",
  ],
  // Every write is atomic in the same way, so a few are enough.
  "test/core/audit/trail.test.ts": [
    "agent.register, used token",
    "declarations.apply",
    "rows have no gaps",
    "the table refuses",
    "rows before a checkpoint can be deleted",
  ],
  "test/core/schedules/once.test.ts": [
    "an action runs once although two nodes",
    "a rollout runs once although two nodes",
    "a crash between the due time and the rollout",
  ],
  "test/core/decisions/decisions.test.ts": [
    "at the same time make one command",
    "an approval and a withdrawal at the same time",
    "the same request id asks once",
  ],
  "test/core/search/search.test.ts": ["exact codes come first", "ids are found by their beginning"],
  "test/core/bus/atomic.test.ts": "all",
  "test/core/bus/races.test.ts": [
    "after a route is deleted",
    "when the target moves",
    "an event that is repeated during its deletion",
  ],
};

/** Returns what the list has for a file. */
export function namesOnPostgres(file: string): "all" | readonly string[] {
  return alsoOnPostgres[file] ?? [];
}
