import { access } from "./access.ts";
import { bus } from "./bus.ts";
import type { Cases } from "./case.ts";
import { declarations } from "./declarations.ts";
import { fleet } from "./fleet.ts";
import { rollouts } from "./rollouts.ts";
import { system } from "./system.ts";

export const cases: Cases = {
  ...fleet,
  ...rollouts,
  ...access,
  ...bus,
  ...declarations,
  ...system,
};

/** Commands without JSON data, which have their own tests. */
export const downloads = ["backup"];

/** Commands that require a session, which own-sessions.test.ts tests. */
export const forPeople = ["sessions list", "sessions end"];
