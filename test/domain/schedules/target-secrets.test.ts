import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import type { ScheduledRollout, ScheduleTarget } from "../../../src/domain/schedules/schedules.ts";
import {
  editTarget,
  missingSecrets,
  wholeTarget,
  withholdMore,
  withholdTarget,
} from "../../../src/domain/schedules/target-secrets.ts";
import { withholder } from "../../../src/domain/secrets/payload-secrets.ts";

const action: ScheduleTarget = {
  ...{ kind: "action", service: "billing", action: "load", confirmation: false },
  payload: { password: "hunter2", pin: 1234, nested: { pin: 5 }, note: "plain" },
};

const rollout = {
  ...{ kind: "rollout", action: "load", selector: "env=prod", confirmation: false },
  payload: { token: "abc" },
  payloadByService: { "a/b": { token: "def" } },
} as unknown as ScheduledRollout;

const by = (...schemas: JsonObject[]) => withholder(schemas);
const secretPin = { properties: { pin: { writeOnly: true } } };
const secretNested = { properties: { nested: { writeOnly: true } } };

test("secrets are found by their names, and by each of the schemas", () => {
  const parts = withholdTarget(action, by({}, secretPin, secretNested));
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

test("the payloads of single services have secrets of their own", () => {
  const parts = withholdTarget(rollout, by());
  expect(parts.withheld.toSorted()).toEqual(["/payload/token", "/payloadByService/a~1b/token"]);
  expect(JSON.stringify(parts.target)).not.toMatch(/abc|def/);
  expect(wholeTarget(parts)).toEqual(rollout);
});

test("all payloads of a target are searched in one call, and the target stays as it is", () => {
  const services = Array.from({ length: 100 }, (_, at) => [`s${at}`, { pin: at, note: "plain" }]);
  const target = { ...rollout, payloadByService: Object.fromEntries(services) };
  const before = structuredClone(target);
  // Each call has its own time limit, so there must be only one call.
  const withhold = vi.fn(by(secretPin));
  const { withheld } = withholdTarget(target, withhold);
  expect(withhold).toHaveBeenCalledTimes(1);
  expect(withheld).toHaveLength(101);
  expect(target).toEqual(before);
});

test("what a schema marks later is withheld as well, and comes back", () => {
  const inside = { properties: { nested: { properties: { pin: { writeOnly: true } } } } };
  const stored = withholdTarget(action, by(inside));
  const shown = withholdMore(stored, by(secretNested, secretPin));
  expect(shown.target.payload).toEqual({
    ...{ password: "[REDACTED]", pin: "[REDACTED]", nested: "[REDACTED]", note: "plain" },
  });
  expect(wholeTarget(shown)).toEqual(action);
});

const ann = "usr_ann";
const stored = { ...withholdTarget(action, by(secretPin)), secretsGiven: { by: ann, version: 1 } };
const shown = stored.target;
const shownRollout = {
  ...withholdTarget(rollout, by()),
  secretsGiven: { by: ann, version: 1 },
};

describe("[REDACTED] in an edited target", () => {
  test.for<[title: string, change: object, giver: string, missing: string[]]>([
    [
      "keeps the secrets of whoever gave them",
      { payload: { ...shown.payload, note: "new" } },
      ann,
      [],
    ],
    ["keeps them for everybody if nothing of the target changes", {}, "usr_ben", []],
    [
      "keeps none for others",
      { payload: { ...shown.payload, note: "new" } },
      "usr_ben",
      ["/payload/password", "/payload/pin"],
    ],
    [
      "keeps none for another service",
      { service: "mine" },
      ann,
      ["/payload/password", "/payload/pin"],
    ],
    [
      "keeps none for another action",
      { action: "wipe" },
      ann,
      ["/payload/password", "/payload/pin"],
    ],
    ["keeps none in another place", { payload: { other: "[REDACTED]" } }, ann, ["/payload/other"]],
    ["keeps those beside a new one", { payload: { ...shown.payload, pin: 99 } }, ann, []],
  ])("%s", ([_title, change, giver, missing]) => {
    const edit = editTarget(
      { ...shown, ...change } as ScheduleTarget,
      stored,
      by(secretPin),
      giver,
    );
    expect(missingSecrets(edit)).toEqual(missing);
    if (missing.length > 0) return;
    expect(wholeTarget(edit).payload).toMatchObject({ password: "hunter2" });
    expect(JSON.stringify(edit.target)).not.toMatch(/hunter2|1234|99/);
  });

  test.for<[title: string, change: object, keeps: boolean]>([
    ["the same choice in another spelling", { selector: ' env = "prod" ' }, true],
    ["another choice", { selector: "env=dev" }, false],
    ["a choice of other services", { selector: undefined, services: ["mine"] }, false],
    ["one more status", { status: ["HEALTHY"] }, false],
    ["another number of failures", { maxFailures: "2" }, true],
  ])("of a rollout with %s", ([_title, change, keeps]) => {
    const edited = { ...shownRollout.target, ...change } as ScheduleTarget;
    const edit = editTarget(edited, shownRollout, by(), ann);
    expect(missingSecrets(edit)).toHaveLength(keeps ? 0 : 2);
  });

  test("keeps nothing that an older version stored without its giver", () => {
    const old = { ...stored, secretsGiven: null };
    const edited = { ...shown, payload: { ...shown.payload, note: "new" } };
    expect(missingSecrets(editTarget(edited, old, by(), ann))).not.toEqual([]);
    expect(missingSecrets(editTarget(shown, old, by(), ann))).toEqual([]);
  });

  test("stays withheld although no schema marks it any longer", () => {
    const edited = { ...shown, payload: { ...shown.payload, note: "new" } };
    const edit = editTarget(edited, stored, by(), ann);
    expect(edit.target.payload).toMatchObject({ pin: "[REDACTED]" });
    expect(wholeTarget(edit).payload).toMatchObject({ pin: 1234 });
  });
});

test("a secret in plain text counts as given, even if it equals the stored one", () => {
  expect(editTarget(action, stored, by(secretPin), ann).gives).toBe(true);
  expect(editTarget(shown, stored, by(secretPin), ann).gives).toBe(false);
});
