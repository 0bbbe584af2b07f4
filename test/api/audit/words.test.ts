// The description of an audit event in the command line and the console.

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
])("%j is about %j", (metadata, subject) => {
  expect(subjectOf(event("x", metadata))).toEqual(subject);
});

test.each([
  [
    { from: "UP", to: "DOWN" },
    { from: "UP", to: "DOWN" },
  ],
  [{ from: "UP" }, null],
  [{ from: 1, to: 2 }, null],
])("the change of state in %j: %j", (metadata, step) => {
  expect(stepOf(event("x", metadata))).toEqual(step);
});

test.each([
  ["service.health.changed", { from: "UP", to: "DOWN" }, "SUCCESS", "DOWN"],
  ["service.health.changed", { services: { redis: 7 } }, "SUCCESS", "SUCCESS"],
  ["service.version.changed", { from: "1", to: "2" }, "SUCCESS", "SUCCESS"],
  ["agent.offline", {}, "SUCCESS", "OFFLINE"],
  ["agent.online", {}, "SUCCESS", "ONLINE"],
  ["command.failed", {}, "FAILURE", "FAILURE"],
] as const)("%s %j with %s came out as %s", (action, metadata, result, outcome) => {
  expect(outcomeOf(event(action, metadata, result))).toBe(outcome);
});
