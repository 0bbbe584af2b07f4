// English. One file for each part of the console; words that many parts use are in words.ts.

import { agents } from "./agents.ts";
import { login } from "./login.ts";
import { overview } from "./overview.ts";
import { shell } from "./shell.ts";
import { words } from "./words.ts";

export const en = {
  /** For numbers and times. */
  locale: "en-GB",
  time: { now: "now", never: "never" },
  words,
  shell,
  login,
  overview,
  agents,
};
