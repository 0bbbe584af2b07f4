// One run of every command that calls the API.

import { access } from "./access.ts";
import { bus } from "./bus.ts";
import type { Cases } from "./case.ts";
import { fleet } from "./fleet.ts";
import { system } from "./system.ts";

export const cases: Cases = { ...fleet, ...access, ...bus, ...system };

/** Commands that do not print JSON data and have their own tests. */
export const downloads = ["backup"];

/** Commands that require a session, which own-sessions.test.ts tests. */
export const forPeople = ["sessions list", "sessions end"];
