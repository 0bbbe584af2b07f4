// The library's types are written out for readers in an editor, and the API's types are inferred
// from its schemas. `npm run check:types` fails if they differ.

import { expectTypeOf, test } from "vitest";
import type {
  AgentDescription,
  ConfigEntry,
  DeliveredCommand,
  DescriptionChange,
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

test("the agent sends exactly the types that the API accepts", () => {
  // The library sets `features` itself.
  type WireAgent = Omit<BodyInput<Routes["agent.register"]>["agent"], "features">;
  expectTypeOf<AgentDescription>().toEqualTypeOf<WireAgent>();
  // The library sets `prepare` itself, depending on whether there is a prepare function.
  expectTypeOf<ActionEntry>().toEqualTypeOf<Omit<WireAction, "prepare">>();
  expectTypeOf<ConfigEntry>().toEqualTypeOf<WireConfig>();
  expectTypeOf<Exclude<Health, string>>().toExtend<WireHealth>();
  expectTypeOf<keyof Exclude<Health, string>>().toEqualTypeOf<keyof WireHealth>();
});

test("only an optional part of the description can be removed", () => {
  expectTypeOf<DescriptionChange["labels"]>().toEqualTypeOf<
    Record<string, string> | null | undefined
  >();
  expectTypeOf<DescriptionChange["mode"]>().toEqualTypeOf<string | undefined>();
});

test("the agent receives the types that the API delivers", () => {
  type WireCommand = ReplyData<Routes["agent.poll"]>["commands"][number];
  expectTypeOf<DeliveredCommand>().toEqualTypeOf<WireCommand>();
});

test("operators see every field of a form in a prepared command", () => {
  type Shown = ReplyData<Routes["actions.prepare"]>;
  expectTypeOf<keyof Prepared>().toExtend<keyof Shown>();
});
