import { expect, test } from "vitest";
import {
  commandStatuses,
  durationMs,
  expiryOutcome,
  failureOf,
  isTerminal,
} from "../../src/domain/commands.ts";

const emoji = "\u{1f600}";

test.each<[title: string, result: Parameters<typeof failureOf>[0], code: string, message: unknown]>(
  [
    ["both", { error: { code: "GONE", message: "a.log is gone" } }, "GONE", "a.log is gone"],
    ["nothing", {}, "ACTION_FAILED", null],
    ["empty texts", { error: { code: "", message: "" }, message: "" }, "ACTION_FAILED", null],
    ["the result's message", { error: { code: "A" }, message: "why" }, "A", "why"],
    [
      "the error's code and message before those of the result",
      { error: { message: "a" }, message: "b" },
      "ACTION_FAILED",
      "a",
    ],
    ["80 characters", { error: { code: "c".repeat(80) } }, "c".repeat(80), null],
    ["81 characters", { error: { code: "c".repeat(81) } }, "c".repeat(80), null],
    ["500 characters", { message: "m".repeat(500) }, "ACTION_FAILED", "m".repeat(500)],
    ["501 characters", { message: "m".repeat(501) }, "ACTION_FAILED", "m".repeat(500)],
    [
      "a surrogate pair that fits",
      { error: { code: "c".repeat(78) + emoji } },
      "c".repeat(78) + emoji,
      null,
    ],
    [
      "a surrogate pair across the end",
      { error: { code: "c".repeat(79) + emoji } },
      "c".repeat(79),
      null,
    ],
    [
      "a message that is too long",
      { message: "m".repeat(499) + emoji },
      "ACTION_FAILED",
      "m".repeat(499),
    ],
  ],
)("a failure with %s", (_title, result, errorCode, errorMessage) => {
  expect(failureOf(result)).toEqual({ errorCode, errorMessage });
});

test.each([
  ["ACTION_EXECUTE", "PENDING", "COMMAND_EXPIRED", "did not fetch"],
  ["ACTION_EXECUTE", "RUNNING", "COMMAND_TIMED_OUT", "reported no result"],
  ["ACTION_PREPARE", "PENDING", "ACTION_PREPARE_TIMEOUT", "did not fetch"],
  ["ACTION_PREPARE", "RUNNING", "ACTION_PREPARE_TIMEOUT", "did not respond"],
] as const)(
  "the error of a %s that was %s for too long is %s",
  (type, status, errorCode, words) => {
    expect(expiryOutcome(type, status)).toEqual({
      errorCode,
      errorMessage: expect.stringContaining(words),
    });
  },
);

test("three statuses are final", () => {
  expect(commandStatuses.filter(isTerminal)).toEqual(["SUCCEEDED", "FAILED", "CANCELLED"]);
});

test.each([
  [1000, 1500, 500],
  [1000, 1000, 0],
  [1000, 900, 0],
  [null, 1500, null],
  [1000, null, null],
])("a command that started at %j and completed at %j took %j ms", (startedAt, completedAt, ms) => {
  expect(durationMs(startedAt, completedAt)).toBe(ms);
});
