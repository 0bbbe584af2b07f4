// English. One file for each part of the console; words that many parts use are in words.ts.

import { agents } from "./agents.ts";
import { audit } from "./audit.ts";
import { busEvents } from "./bus-events.ts";
import { busRoutes } from "./bus-routes.ts";
import { login } from "./login.ts";
import { shell } from "./shell.ts";
import { words } from "./words.ts";

export const en = {
  /** For numbers and times. */
  locale: "en-GB",
  time: { now: "now", never: "never" },
  words,
  shell,
  login,
  agents,
  busRoutes,
  busEvents,
  audit,
};
