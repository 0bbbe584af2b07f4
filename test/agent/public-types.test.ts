// The library's types are written out for those who read them in an editor; the wire's are inferred from
// its schemas. These assertions are for the compiler (`npm run check:types`): the two say the same.

import { expectTypeOf, test } from "vitest";
import type {
  AgentDescription,
  ConfigEntry,
  DeliveredCommand,
  Health,
  Prepared,
} from "../../src/agent/index.ts";
import type { ReportedService } from "../../src/agent/services/service-report.ts";
import type { ActionEntry } from "../../src/agent/services/services.ts";
import type { BodyInput, ReplyData } from "../../src/api/contract/route.ts";
import type { Routes } from "../../src/api/index.ts";

type WireAction = NonNullable<ReportedService["actions"]>[number];
type WireConfig = NonNullable<ReportedService["configs"]>[number];
type WireHealth = NonNullable<ReportedService["health"]>;

test("what an agent sends is what the wire takes, and nothing of that is missing", () => {
  expectTypeOf<AgentDescription>().toEqualTypeOf<BodyInput<Routes["agent.register"]>["agent"]>();
  // Whether there is something to prepare follows from the function that does it.
  expectTypeOf<ActionEntry>().toEqualTypeOf<Omit<WireAction, "prepare">>();
  expectTypeOf<ConfigEntry>().toEqualTypeOf<WireConfig>();
  expectTypeOf<Exclude<Health, string>>().toExtend<WireHealth>();
  expectTypeOf<keyof Exclude<Health, string>>().toEqualTypeOf<keyof WireHealth>();
});

test("what an agent gets is what the wire brings", () => {
  type WireCommand = ReplyData<Routes["agent.poll"]>["commands"][number];
  expectTypeOf<DeliveredCommand>().toEqualTypeOf<WireCommand>();
});

test("a form is made of what a prepared command shows to the operator", () => {
  type Shown = ReplyData<Routes["actions.prepare"]>;
  expectTypeOf<keyof Prepared>().toExtend<keyof Shown>();
});
