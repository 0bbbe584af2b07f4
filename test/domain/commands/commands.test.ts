import { expect, test } from "vitest";
import {
  commandStatuses,
  durationMs,
  expiryOutcome,
  failureOf,
  hasEnded,
} from "../../../src/domain/commands/commands.ts";

const emoji = "\u{1f600}";
const c = (count: number) => "c".repeat(count);
const m = (count: number) => "m".repeat(count);

test.each<[result: Parameters<typeof failureOf>[0], code: string, message: string | null]>([
  [{ error: { code: "GONE", message: "a.log is gone" } }, "GONE", "a.log is gone"],
  [{}, "ACTION_FAILED", null],
  [{ error: { code: "", message: "" }, message: "" }, "ACTION_FAILED", null],
  [{ error: { code: "A" }, message: "why" }, "A", "why"],
  [{ error: { message: "a" }, message: "b" }, "ACTION_FAILED", "a"],
  // The limits are 80 and 500 UTF-16 units, and surrogate pairs are not split.
  [{ error: { code: c(80) } }, c(80), null],
  [{ error: { code: c(81) } }, c(80), null],
  [{ message: m(501) }, "ACTION_FAILED", m(500)],
  [{ error: { code: c(79) + emoji } }, c(79), null],
  [{ message: m(499) + emoji }, "ACTION_FAILED", m(499)],
])("the failure %j has the code %s and the message %s", (result, errorCode, errorMessage) => {
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
  expect(commandStatuses.filter(hasEnded)).toEqual(["SUCCEEDED", "FAILED", "CANCELLED"]);
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
