// The server may be newer than the agent, and return errors that the agent does not know.

import { expect, test } from "vitest";
import { codeOf, isAway, isPassing } from "../../../src/agent/connection/failures.ts";
import { ServerError } from "../../../src/client/failures.ts";

test.each([
  { status: 400, passing: false },
  { status: 409, passing: false },
  { status: 429, passing: true },
  { status: 500, passing: true },
  { status: 503, passing: true },
])(
  "an unknown error code with status $status is classified by its status",
  ({ status, passing }) => {
    const error = new ServerError("MOON_TOO_FULL", "Not now.", { status });
    expect([isPassing(error), isAway(error), codeOf(error)]).toEqual([
      passing,
      false,
      "MOON_TOO_FULL",
    ]);
  },
);
