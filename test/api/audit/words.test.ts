import { expect, test } from "vitest";
import { outcomeOf, stepOf, subjectOf } from "../../../src/api/audit/words.ts";

const event = (action: string, metadata: Record<string, unknown> = {}, result = "SUCCESS") => ({
  action,
  targetId: "x_1",
  result,
  metadata,
});

test.each([
  [{ code: "redis" }, { name: "redis", action: null }],
  [{ username: "ada" }, { name: "ada", action: null }],
  [{ name: "ci" }, { name: "ci", action: null }],
  [
    { action: "rotate", serviceCode: "redis" },
    { name: "redis", action: "rotate" },
  ],
  [{ action: "rotate" }, null],
  [{ code: "" }, null],
  [{ code: 7 }, null],
  [{}, null],
])("the metadata %j names the subject %j", (metadata, subject) => {
  expect(subjectOf(event("x", metadata))).toEqual(subject);
});

test.each([
  [
    { from: "UP", to: "DOWN" },
    { from: "UP", to: "DOWN" },
  ],
  [{ from: "UP" }, null],
  [{ from: 1, to: 2 }, null],
])("the change of state in %j is %j", (metadata, step) => {
  expect(stepOf(event("x", metadata))).toEqual(step);
});

test.each([
  ["service.health.changed", { from: "UP", to: "DOWN" }, "SUCCESS", "DOWN"],
  ["service.health.changed", { services: { redis: 7 } }, "SUCCESS", "SUCCESS"],
  ["service.version.changed", { from: "1", to: "2" }, "SUCCESS", "SUCCESS"],
  ["agent.offline", {}, "SUCCESS", "OFFLINE"],
  ["agent.online", {}, "SUCCESS", "ONLINE"],
  ["approval.bypassed", {}, "SUCCESS", "BYPASSED"],
  ["command.failed", {}, "FAILURE", "FAILURE"],
] as const)(
  "the outcome of %s with %j and the result %s is %s",
  (action, metadata, result, outcome) => {
    expect(outcomeOf(event(action, metadata, result))).toBe(outcome);
  },
);
