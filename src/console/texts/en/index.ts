// English. One file for each part of the console; words that many parts use are in words.ts.

import { account } from "./account.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { login } from "./login.ts";
import { settings } from "./settings.ts";
import { shell } from "./shell.ts";
import { users } from "./users.ts";
import { words } from "./words.ts";

export const en = {
  /** For numbers and times. */
  locale: "en-GB",
  time: { now: "now", never: "never" },
  words,
  shell,
  login,
  agents,
  users,
  apiKeys,
  settings,
  account,
};
