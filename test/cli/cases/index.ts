import { access } from "./access.ts";
import { approvals } from "./approvals.ts";
import { bus } from "./bus.ts";
import type { Cases } from "./case.ts";
import { declarations } from "./declarations.ts";
import { fleet } from "./fleet.ts";
import { rollouts } from "./rollouts.ts";
import { schedules } from "./schedules.ts";
import { system } from "./system.ts";

export const cases: Cases = {
  ...fleet,
  ...rollouts,
  ...schedules,
  ...approvals,
  ...access,
  ...bus,
  ...declarations,
  ...system,
};

/** Commands without JSON data, which have their own tests. */
export const downloads = ["backup"];

/** Commands that require a session, which own-sessions.test.ts and asking.test.ts test. */
export const forPeople = [
  ...["sessions list", "sessions end"],
  ...["approvals approve", "approvals reject"],
];
