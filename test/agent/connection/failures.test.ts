import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf, isAway, isPassing } from "../../../src/agent/connection/failures.ts";
import { ServerError } from "../../../src/client/failures.ts";
import { AppError, errorCodes } from "../../../src/domain/errors.ts";

test("docs/reference/agent-protocol.md lists the refusals that are final for an agent", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../../docs/reference/agent-protocol.md"),
    "utf8",
  );
  const table = page.slice(page.indexOf("| Final because of"), page.indexOf("| Status |"));
  const listed = [...table.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
  const final = errorCodes.filter((code) => !isPassing(new AppError(code, "No.")));
  expect(listed.sort()).toEqual(final.sort());
});

// The server may be newer than the agent, and return errors that the agent does not know.
test.each([
  [400, false],
  [404, true],
  [409, true],
  [413, false],
  [422, false],
  [429, true],
  [500, true],
  [503, true],
])("whether a retry may help after an unknown error with status %i: %s", (status, passing) => {
  const error = new ServerError("MOON_TOO_FULL", "Not now.", { status });
  expect(isPassing(error)).toBe(passing);
  expect([isAway(error), codeOf(error)]).toEqual([false, "MOON_TOO_FULL"]);
});
