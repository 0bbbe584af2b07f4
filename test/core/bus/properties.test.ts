// For any events and routes, each event is stored once and makes at most one command for each
// enabled route, as the model expects.

import fc from "fast-check";
import { test } from "vitest";
import { routeStates } from "../../../src/domain/bus/bus-routes.ts";
import { size } from "../../helpers/size.ts";
import { type Event, names, openWorld, type Rule, sources } from "./model.ts";

const types = ["a", "a.b", "b"];
const rotate = ["rotate", "rotate", "rotate"];

/** Most events match some route, and most matches can create a command. */
const anyRule: fc.Arbitrary<Rule> = fc.record({
  type: fc.constantFrom(...types, "a.*", "a.*", "b.*", "a.b.*"),
  source: fc.constantFrom(undefined, undefined, ...sources),
  data: fc.constantFrom(undefined, undefined, { "/file": "a.log" }, { "/sizes/1": null }),
  state: fc.constantFrom(...routeStates, "DRY_RUN", "ENABLED"),
  action: fc.constantFrom(...rotate, "strict", "strict", "drop", "vanish"),
  payload: fc.constantFrom(undefined, {}, { file: "/data/file" }, { file: { const: "x" } }),
});

const anyEvent: fc.Arbitrary<Event> = fc.record({
  source: fc.constantFrom(...sources),
  type: fc.constantFrom(...types),
  data: fc.constantFrom(undefined, { file: "a.log" }, { file: 7, sizes: [1, null] }),
  cause: fc.option(
    fc.record({ by: fc.constantFrom("name", "id", "command", "retry"), at: fc.nat(20) }),
    { freq: 2 },
  ),
  times: fc.integer({ min: 1, max: 3 }),
});

/** Events that are sent at the same time, by name. */
const anyBatch = fc.dictionary(fc.constantFrom(...names), anyEvent, { minKeys: 1, maxKeys: 3 });

type Step =
  | { kind: "publish" | "publish without the agent"; events: Record<string, Event> }
  | { kind: "add"; rule: Rule }
  | { kind: "edit"; at: number; rule: Rule }
  | { kind: "remove"; at: number }
  | { kind: "restart" };

const kind = <T extends string>(name: T) => fc.constant(name);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: kind("publish"), events: anyBatch }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind("publish without the agent"), events: anyBatch }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("add"), rule: anyRule }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("edit"), at: fc.nat(9), rule: anyRule }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("remove"), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("restart") }) },
);

test("only enabled matching routes make commands, one for each event", async () => {
  const property = fc.asyncProperty(
    fc.array(anyRule, { minLength: 3, maxLength: 6, size: "max" }),
    fc.array(anyStep, { minLength: 6, maxLength: 14, size: "max" }),
    async (rules, steps) => {
      const world = await openWorld();
      for (const rule of rules) await world.add(rule);
      for (const step of steps) {
        if (step.kind === "publish") await world.publish(step.events);
        if (step.kind === "publish without the agent") {
          await world.withoutWorker(() => world.publish(step.events));
        }
        if (step.kind === "add") await world.add(step.rule);
        if (step.kind === "edit") await world.edit(step.at, step.rule);
        if (step.kind === "remove") await world.remove(step.at);
        if (step.kind === "restart") await world.restart();
      }
      await world.check();
    },
  );
  // A failing example is not shrunk, because that would take minutes.
  await fc.assert(property, { numRuns: size(4, 40), endOnFailure: true });
}, 120_000);
