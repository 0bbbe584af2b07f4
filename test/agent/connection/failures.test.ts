// The server may be newer than the agent, and return errors that the agent does not know.

import { expect, test } from "vitest";
import { codeOf, isAway, isPassing } from "../../../src/agent/connection/failures.ts";
import { ServerError } from "../../../src/client/failures.ts";

test.each([
  [400, false],
  [409, false],
  [429, true],
  [500, true],
  [503, true],
])("whether a retry may help after an unknown error with status %i: %s", (status, passing) => {
  const error = new ServerError("MOON_TOO_FULL", "Not now.", { status });
  expect(isPassing(error)).toBe(passing);
  expect([isAway(error), codeOf(error)]).toEqual([false, "MOON_TOO_FULL"]);
});
