// What the command line adds to the message of an error leaves the rest of the error unchanged.

import { expect, test } from "vitest";
import type { CommandSpec } from "../../src/cli/command.ts";
import { wordedFor } from "../../src/cli/error-words.ts";
import { AppError } from "../../src/domain/errors.ts";

test.each([{ retryAfterSeconds: 5 }, { details: { agentCode: "edge-1" } }])(
  "an error with advice keeps %o",
  (facts) => {
    const spec = { options: [{ flags: "--queue" }] } as unknown as CommandSpec;
    const error = new AppError("AGENT_OFFLINE", "The agent is offline.", facts);
    const worded = wordedFor(spec, {}, error) as AppError;
    expect(worded.message).toMatch(/^The agent is offline\. Add --queue/);
    const { code, details, retryAfterSeconds, cause } = worded;
    expect({ code, details, retryAfterSeconds, cause }).toStrictEqual({
      code: error.code,
      details: error.details,
      retryAfterSeconds: error.retryAfterSeconds,
      cause: error,
    });
  },
);
