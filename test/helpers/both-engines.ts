// For tests of what differs between the engines: mostly concurrency, and transactions that fail.
// `npm run test:postgresql` runs many more tests on PostgreSQL.

import { beforeAll, describe } from "vitest";
import { hasPostgres } from "./postgres.ts";
import { everyAppOnPostgres, isChosen } from "./postgres-app.ts";

/**
 * Defines the tests for both engines: their test apps use SQLite, and then PostgreSQL if this
 * platform has it.
 */
export function onBothEngines(define: () => void): void {
  define();
  // `npm run test:postgresql` runs all tests on PostgreSQL.
  if (isChosen()) return;
  describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
    beforeAll(everyAppOnPostgres);
    define();
  });
}
