// Whatever events come and whatever routes there are, with edits and restarts in between: each event is
// stored once, meets the routes as they are at that moment, and has one command at most for each that is
// enabled. What should come is worked out beside, from the texts (`decisions.md` 6).

import fc from "fast-check";
import { test } from "vitest";
import { routeStates } from "../../src/domain/bus-routes.ts";
import { type Event, names, openWorld, type Rule, sources } from "./bus-model.ts";

const types = ["a", "a.b", "a.b.c", "b"];

const anyRule: fc.Arbitrary<Rule> = fc.record({
  type: fc.constantFrom(...types, "a.*", "a.b.*", "b.*"),
  source: fc.constantFrom(undefined, undefined, ...sources),
  data: fc.constantFrom(undefined, undefined, { "/file": "a.log" }, { "/sizes/1": null }),
  state: fc.constantFrom(...routeStates, "ENABLED"),
  action: fc.constantFrom("rotate", "rotate", "strict", "drop", "vanish"),
  payload: fc.constantFrom(undefined, {}, { file: "/data/file" }, { file: { const: "x" } }),
});

const anyEvent: fc.Arbitrary<Event> = fc.record({
  source: fc.constantFrom(...sources),
  type: fc.constantFrom(...types),
  data: fc.constantFrom(undefined, { file: "a.log" }, { file: 7, sizes: [1, null] }),
  cause: fc.option(
    fc.record({ by: fc.constantFrom("name", "id", "command", "retry"), at: fc.nat(20) }),
  ),
  times: fc.integer({ min: 1, max: 4 }),
});

const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("publish" as const),
      /** By their names: several at once. */
      events: fc.dictionary(fc.constantFrom(...names), anyEvent, { minKeys: 1, maxKeys: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), rule: anyRule }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("edit" as const), at: fc.nat(9), rule: anyRule }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("switch agent" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
);

test("commands come of matched enabled routes only, once, and none deeper than 1", async () => {
  const property = fc.asyncProperty(
    fc.array(anyRule, { maxLength: 4 }),
    fc.array(anyStep, { minLength: 1, maxLength: 14 }),
    async (rules, steps) => {
      const world = await openWorld();
      for (const rule of rules) await world.add(rule);
      for (const step of steps) {
        if (step.kind === "publish") await world.publish(step.events);
        if (step.kind === "add") await world.add(step.rule);
        if (step.kind === "edit") await world.edit(step.at, step.rule);
        if (step.kind === "remove") await world.remove(step.at);
        if (step.kind === "switch agent") await world.switchAgent();
        if (step.kind === "restart") await world.restart();
      }
      await world.check();
    },
  );
  await fc.assert(property, { numRuns: 15 });
}, 120_000);
