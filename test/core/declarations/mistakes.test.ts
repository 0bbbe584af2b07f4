import { test as base, describe, expect } from "vitest";
import type { AppError, Issue } from "../../../src/domain/errors.ts";
import { openScene } from "../scene.ts";
import { apply, examples, preview } from "./declaring.ts";

const test = base.extend("scene", () => openScene({ CAPSULE_BUS_ENABLED: "true" }));

const { BusRoute: route, SavedView: view, Settings: settings } = examples;

async function issuesOf(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "VALIDATION_FAILED" });
  const issues = (error as AppError).details?.issues as Issue[];
  return issues.map(({ path, message }) => `${path.replace(/^documents\./, "")}: ${message}`);
}

test("all mistakes are reported at once, and nothing is changed", async ({ scene }) => {
  const owner = scene.as("owner");
  const hasWritten = scene.watchWrites();
  const documents = [
    view,
    { ...route, match: { type: "Log full!", tpye: "x" } },
    { kind: "BusRuote", name: "x" },
    { name: "no kind" },
    { kind: "Settings", settings: { auditRetentionDays: -1, workspaceNaem: "x" } },
    { ...view, name: "second", query: { stauts: "OFFLINE", sort: "colour" } },
    { ...view, query: {} },
    { ...view, name: "mine", shared: false },
    { ...examples.Schedule, cron: "99 3 * * *", timezone: "Europe/Berlni" },
    { ...examples.ApprovalPolicy, approvers: { users: ["nobody", "noone"] } },
    { kind: 5 },
    "text" as unknown as object,
  ];
  const expected = [
    expect.stringMatching(/^1\.document\.match\.type: must be a dotted name/),
    expect.stringMatching(/^1\.document\.match\.tpye: there is no field tpye; did you mean type\?/),
    "2.document.kind: there is no kind BusRuote; did you mean BusRoute?",
    expect.stringMatching(/^3\.document\.kind: is missing; it must be one of /),
    expect.stringMatching(/^4\.document\.settings\.auditRetentionDays: /),
    expect.stringMatching(/^4\.document\.settings\.workspaceNaem: there is no field/),
    expect.stringMatching(/^5\.document\.query\.stauts: .* did you mean status\?/),
    expect.stringMatching(/^5\.document\.query\.sort: must be one of code/),
    expect.stringMatching(
      /^6\.document\.name: SavedView offline is declared twice: first in file-0/,
    ),
    "7.document.shared: only shared views can be declared",
    expect.stringMatching(/^8\.document\.cron: /),
    expect.stringMatching(/^8\.document\.timezone: /),
    "9.document.approvers.users.0: there is no user nobody",
    "9.document.approvers.users.1: there is no user noone",
    expect.stringMatching(/^10\.document\.kind: must be one of /),
    "11.document: must be an object: fields with values",
  ];
  expect(await issuesOf(apply(owner, documents))).toEqual(expected);
  expect(await issuesOf(preview(owner, documents))).toEqual(expected);
  expect(hasWritten()).toBe(false);
  expect(await scene.count("saved_views")).toBe(0);
});

test("of two hundred documents with a mistake, each is reported", async ({ scene }) => {
  const documents = Array.from({ length: 200 }, (_, at) => ({
    ...view,
    name: `v${at}`,
    noun: "x",
  }));
  expect(await issuesOf(apply(scene.as("owner"), documents))).toHaveLength(200);
});

test("only owners learn from a preview which users exist", async ({ scene }) => {
  const owner = scene.as("owner");
  for (const username of ["ann", "ben"]) {
    const body = { username, password: "correct horse battery", role: "operator" } as const;
    await owner.call("users.create", { body });
  }
  const policyOf = (...users: string[]) => ({
    ...{ ...examples.ApprovalPolicy, approvals: 1 },
    approvers: { users },
  });
  await apply(owner, [policyOf("ben")]);
  const asked = [policyOf("BEN", "ANN", "NOBODY")];
  const { changes } = await preview(scene.as("viewer"), asked);
  // The stored policy, which every viewer can read, names ben.
  expect(changes[0]?.after).toMatchObject({ approvers: { users: ["ben", "ANN", "NOBODY"] } });
  expect(await issuesOf(preview(owner, asked))).toEqual([
    "0.document.approvers.users.2: there is no user NOBODY",
  ]);
});

describe("a name", () => {
  test("that several routes have is ambiguous", async ({ scene }) => {
    const operator = scene.as("operator");
    const { kind: _, ...body } = route;
    const one = await operator.call("bus-routes.create", { body: body as never });
    const two = await operator.call("bus-routes.create", { body: body as never });
    expect(await issuesOf(apply(operator, [view, route]))).toEqual([
      `1.document.name: is ambiguous: 2 objects have this name: ${one.id}, ${two.id}`,
    ]);
    expect(await scene.count("saved_views")).toBe(0);
  });

  test("belongs to one set", async ({ scene }) => {
    const operator = scene.as("operator");
    await apply(operator, [route], { set: "logs" });
    expect(await issuesOf(apply(operator, [route]))).toEqual([
      "0.document.name: the set logs already declares an object with this name",
    ]);
  });
});

test("routes cannot be declared while the bus is off", async () => {
  const scene = await openScene();
  expect(await issuesOf(apply(scene.as("operator"), [route]))).toEqual([
    "0.document.kind: the event bus of this server is off; PLATFORM_CAPSULE_BUS_ENABLED=true enables it",
  ]);
});

test("fields that get returns are ignored, and null is like an absent field", async ({ scene }) => {
  const times = { createdAt: "x", updatedAt: null, id: 5, version: "z", warnings: [], declared: 1 };
  const documents = [
    { ...route, ...times, description: null, payload: null },
    { ...settings, configured: {}, changed: [] },
  ];
  const { changes } = await apply(scene.as("owner"), documents);
  expect(changes.map(({ change }) => change)).toEqual(["created", "updated"]);
});

test("settings can be declared once", async ({ scene }) => {
  expect(await issuesOf(apply(scene.as("owner"), [settings, settings]))).toEqual([
    "1.document.kind: Settings settings is declared twice: first in file-0.yaml",
  ]);
});

test("a schedule needs the secrets that it does not have yet, and a confirmation", async ({
  scene,
}) => {
  const { target } = examples.Schedule;
  const redacted = { ...target, payload: { password: "[REDACTED]" } };
  const schedule = { ...examples.Schedule, target: redacted };
  const operator = scene.as("operator");
  expect(await issuesOf(preview(operator, [schedule]))).toEqual([
    expect.stringMatching(/^0\.document\.target: Give the values that are shown as \[REDACTED\]/),
  ]);
  await apply(operator, [examples.Schedule]);
  expect((await apply(operator, [schedule])).changes[0]!.change).toBe("unchanged");
  const other = { ...target, payload: { password: "another secret text" } };
  const changed = await apply(operator, [{ ...examples.Schedule, target: other }]);
  expect(changed.changes[0]).toMatchObject({ change: "updated" });
  expect(JSON.stringify(changed)).not.toContain("another secret");
});
