// After an apply, what is stored is what the documents declare.

import fc from "fast-check";
import { expect, test } from "vitest";
import { size } from "../../helpers/size.ts";
import { openScene } from "../scene.ts";
import { apply, preview } from "./declaring.ts";

const name = fc.constantFrom("a", "b", "c", "d", "e");
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });

const route = fc.record({
  kind: fc.constant("BusRoute"),
  name,
  state: fc.constantFrom("DISABLED", "DRY_RUN", "ENABLED"),
  match: fc.record(
    {
      type: fc.constantFrom("a.b", "a.*"),
      data: fc.dictionary(fc.constantFrom("/x", "/y.z"), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 2,
      }),
    },
    { requiredKeys: ["type"] },
  ),
  target: fc.record({
    serviceCode: fc.constantFrom("s", "log-collector"),
    action: fc.constant("rotate"),
  }),
});
const view = fc.record({
  kind: fc.constant("SavedView"),
  name,
  noun: fc.constantFrom("agents", "services"),
  query: fc.record(
    { status: text, selector: text, sort: fc.constantFrom("code", "-name") },
    { requiredKeys: [] },
  ),
  shared: fc.constant(true),
});
const settings = fc.record({
  kind: fc.constant("Settings"),
  name: fc.constant(undefined),
  settings: fc.record(
    {
      auditRetentionDays: fc.integer({ min: 0, max: 9 }),
      workspaceName: fc.constantFrom("x", "y"),
    },
    { requiredKeys: [] },
  ),
});
const documents = fc.uniqueArray(fc.oneof(route, view, settings), {
  selector: ({ kind, name }) => `${kind} ${name}`,
  maxLength: 12,
});

test("after an apply, the stored declared form equals the documents", async () => {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const owner = scene.as("owner");
  await fc.assert(
    fc.asyncProperty(fc.array(documents, { minLength: 1, maxLength: 3 }), async (steps) => {
      for (const step of steps) {
        const wanted = JSON.parse(JSON.stringify(step)) as { kind: string; name?: string }[];
        const seen = await preview(owner, wanted, { prune: true });
        const applied = await apply(owner, wanted, { prune: true, plan: seen.plan });
        expect(applied.changes).toMatchObject(
          seen.changes.map(({ kind, change }) => ({ kind, change })),
        );
        const again = await apply(owner, wanted, { prune: true });
        expect(again.changes.every(({ change }) => change === "unchanged")).toBe(true);
        const routes = await owner.call("bus-routes.list", { query: { pageSize: 200 } });
        const views = await owner.call("saved-views.list", { query: { pageSize: 200 } });
        const stored = [
          ...routes.map((one) => ({ kind: "BusRoute", ...one })),
          ...views.map((one) => ({ kind: "SavedView", ...one })),
        ];
        const declared = wanted.filter(({ kind }) => kind !== "Settings");
        expect(stored.length).toBe(declared.length);
        for (const document of declared) {
          const row = stored.find(
            ({ kind, name }) => kind === document.kind && name === document.name,
          );
          const form = Object.fromEntries(
            Object.keys(document).map((key) => [key, row?.[key as "name"]]),
          );
          expect(form).toEqual(document);
        }
      }
    }),
    { numRuns: size(6, 100) },
  );
});

test("two hundred objects are applied together", async () => {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const operator = scene.as("operator");
  const all = Array.from({ length: 200 }, (_, at) => {
    const target = { serviceCode: "log-collector", action: "rotate" };
    return at % 2
      ? { kind: "SavedView", name: `v${at}`, noun: "agents" }
      : { kind: "BusRoute", name: `r${at}`, match: { type: "a.b" }, target };
  });
  const { changes } = await apply(operator, all);
  expect(changes).toHaveLength(200);
  expect(await scene.count("bus_routes")).toBe(100);
  expect(await scene.count("saved_views")).toBe(100);
});
