// What an apply does in its transaction, while all other transactions wait.

import { Script } from "node:vm";
import { test as base, describe, expect, vi } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import type { Tx } from "../../../src/store/database.ts";
import type { TestApp } from "../../helpers/app.ts";
import { collector, openScene } from "../scene.ts";
import { type ApplyBody, apply, examples } from "./declaring.ts";

const inputSchema = { properties: { password: { writeOnly: true } } };
const rotate = { name: "rotate", dangerLevel: "HIGH" as const, inputSchema };

const test = base.extend("scene", () =>
  openScene({ CAPSULE_BUS_ENABLED: "true" }, [{ ...collector, actions: [rotate] }]),
);

/** Makes the call, and returns its transactions' statements and their number of secret searches. */
async function inTransactions(app: TestApp, call: () => Promise<unknown>) {
  const statements: string[] = [];
  let searches = 0;
  const searching = vi.spyOn(Script.prototype, "runInContext");
  const write = app.database.write.bind(app.database);
  vi.spyOn(app.database, "write").mockImplementation((work) => {
    const recorded = async (tx: Tx) => {
      const direct = (["get", "all", "run"] as const).map((method) => vi.spyOn(tx, method));
      const ofRows = vi.spyOn(tx, "runAll");
      const before = searching.mock.calls.length;
      const value = await work(tx);
      searches += searching.mock.calls.length - before;
      statements.push(...direct.flatMap(({ mock }) => mock.calls.map(([sql]) => sql)));
      statements.push(...ofRows.mock.calls.map(([statement]) => statement.one));
      return value;
    };
    return write(recorded);
  });
  try {
    await call();
  } finally {
    vi.restoreAllMocks();
  }
  return { statements, searches };
}

const password = { password: "hunter2 is not enough" };
const kinds: Record<string, { document: JsonObject; change: object; most: number[] }> = {
  Schedule: {
    document: {
      ...examples.Schedule,
      target: { ...examples.Schedule.target, payload: password },
    },
    change: { cron: "0 4 * * *" },
    // The statements for each created, changed and deleted object, including its requests for
    // approval and its audit rows.
    most: [4, 7, 5],
  },
  BusRoute: {
    document: { ...examples.BusRoute, payload: { password: { const: password.password } } },
    change: { description: "at night" },
    most: [2, 2, 2],
  },
  SavedView: { document: examples.SavedView, change: { query: {} }, most: [3, 3, 2] },
  ApprovalPolicy: { document: examples.ApprovalPolicy, change: { approvals: 1 }, most: [2, 2, 2] },
};

describe.for(Object.entries(kinds))("an apply of many objects: %s", ([kind, described]) => {
  const { document, change, most } = described;
  const many = (count: number, more = {}) =>
    Array.from({ length: count }, (_, at) => ({ ...document, name: `${kind}-${at}`, ...more }));

  test("reads no schemas in its transaction, and has few statements", async ({ scene }) => {
    const policy = { name: "all", dangerLevel: "HIGH", approvers: { role: "owner" } } as const;
    await scene.as("owner").call("approval-policies.create", { body: policy });
    const password = "purple monkeys wash the dishes";
    const { id: userId } = await scene
      .as("owner")
      .call("users.create", { body: { username: "opi", role: "owner", password } });
    const as = { kind: "user", username: "opi", role: "owner", userId, sessionId: "s" } as const;
    const client = scene.asPrincipal(as);
    const steps: [documents: object[], more?: Partial<ApplyBody>][] = [
      [many(10)],
      [many(10, change)],
      [[], { prune: true }],
    ];
    for (const [at, step] of steps.entries()) {
      const done = await inTransactions(scene, () => apply(client, ...step));
      expect(done.searches).toBe(0);
      expect(done.statements.filter((sql) => sql.includes("service_actions"))).toEqual([]);
      // Rounding down leaves out the statements that run once for all objects.
      const perObject = Math.floor(done.statements.length / 10);
      expect(perObject, done.statements.slice(-60).join("\n")).toBe(most[at]);
    }
  });
});
