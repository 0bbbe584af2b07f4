// English. One file for each part of the console; words that many parts use are in words.ts.

import { actions } from "./actions.ts";
import { agents } from "./agents.ts";
import { commands } from "./commands.ts";
import { login } from "./login.ts";
import { schemaForm } from "./schema-form.ts";
import { shell } from "./shell.ts";
import { values } from "./values.ts";
import { words } from "./words.ts";

export const en = {
  /** For numbers and times. */
  locale: "en-GB",
  time: { now: "now", never: "never" },
  words,
  shell,
  login,
  agents,
  actions,
  schemaForm,
  commands,
  values,
};
