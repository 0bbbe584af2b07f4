import { expect, test } from "vitest";
import type { ScheduledRollout, ScheduleTarget } from "../../../src/domain/schedules/schedules.ts";
import {
  missingSecrets,
  wholeTarget,
  withholdTarget,
  withKeptSecrets,
} from "../../../src/domain/schedules/target-secrets.ts";

const action: ScheduleTarget = {
  ...{ kind: "action", service: "billing", action: "load", confirmation: false },
  payload: { password: "hunter2", pin: 1234, nested: { pin: 5 }, note: "plain" },
};

const secretPin = { properties: { pin: { writeOnly: true } } };
const secretNested = { properties: { nested: { writeOnly: true } } };

test("secrets are found by their names, and by each of the schemas", () => {
  const parts = withholdTarget(action, [{}, secretPin, secretNested]);
  expect(parts.target).toMatchObject({
    payload: { password: "[REDACTED]", pin: "[REDACTED]", nested: "[REDACTED]", note: "plain" },
  });
  expect(parts.withheld.toSorted()).toEqual([
    "/payload/nested",
    "/payload/password",
    "/payload/pin",
  ]);
  expect(wholeTarget(parts)).toEqual(action);
});

test("a secret inside another one comes back, too", () => {
  const inside = { properties: { nested: { properties: { pin: { writeOnly: true } } } } };
  const parts = withholdTarget(action, [inside, secretNested]);
  expect(JSON.stringify(parts.target)).not.toContain("5");
  expect(wholeTarget(parts)).toEqual(action);
  expect(withKeptSecrets(parts.target, parts)).toEqual(action);
});

test("the payloads of single services have secrets of their own", () => {
  const rollout = {
    ...{ kind: "rollout", action: "load", selector: "", confirmation: false },
    payload: { token: "abc" },
    payloadByService: { "a/b": { token: "def" } },
  } as unknown as ScheduledRollout;
  const parts = withholdTarget(rollout, []);
  expect(parts.withheld.toSorted()).toEqual(["/payload/token", "/payloadByService/a~1b/token"]);
  expect(JSON.stringify(parts.target)).not.toMatch(/abc|def/);
  expect(wholeTarget(parts)).toEqual(rollout);
});

test("a new target keeps the secrets that it shows as they are shown, and no others", () => {
  const before = withholdTarget(action, [secretPin]);
  const shown = { ...action, payload: { ...before.target.payload, note: "new", pin: 99 } };
  expect(withKeptSecrets(shown, before).payload).toMatchObject({
    ...{ password: "hunter2", pin: 99, note: "new" },
  });
  const moved = { ...action, payload: { elsewhere: "[REDACTED]" } };
  expect(missingSecrets(withKeptSecrets(moved, before))).toEqual(["/payload/elsewhere"]);
  expect(missingSecrets(action)).toEqual([]);
});
