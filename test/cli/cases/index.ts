// One run of every command that calls the API.

import { access } from "./access.ts";
import { bus } from "./bus.ts";
import type { Cases } from "./case.ts";
import { fleet } from "./fleet.ts";
import { system } from "./system.ts";

export const cases: Cases = { ...fleet, ...access, ...bus, ...system };

/** These do not print JSON data; each has tests of its own. */
export const downloads = ["backup"];

/** These need a session: own-sessions.test.ts. */
export const forPeople = ["sessions list", "sessions end"];
