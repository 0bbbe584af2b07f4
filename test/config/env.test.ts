// Which variables of the environment are ours, and by which names.

import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configHome, readEnv } from "../../src/config/env.ts";

test("ours begin with PLATFORM_; what is empty is as good as absent", () => {
  expect(
    readEnv({
      PLATFORM_PORT: "80",
      PLATFORM_HOST: "",
      PLATFORM_DATA_DIR: undefined,
      PLATFORM_: "nameless",
      platform_port: "81",
      MY_PLATFORM_PORT: "82",
      PORT: "83",
      PATH: "/bin",
    }),
  ).toEqual({ PORT: "80", "": "nameless" });
});

test.each([
  {
    what: "XDG_CONFIG_HOME",
    given: { XDG_CONFIG_HOME: "/etc/me", HOME: "/home/me" },
    is: "/etc/me",
  },
  { what: "the home folder", given: { HOME: "/home/me" }, is: "/home/me/.config" },
  {
    what: "an empty one",
    given: { XDG_CONFIG_HOME: "", HOME: "/home/me" },
    is: "/home/me/.config",
  },
  { what: "a relative one", given: { XDG_CONFIG_HOME: "me", HOME: "/me" }, is: "/me/.config" },
  { what: "no home", given: {}, is: join(userInfo().homedir, ".config") },
  { what: "a relative home", given: { HOME: "me" }, is: join(userInfo().homedir, ".config") },
])("where settings of a user are kept: $what", ({ given, is }) => {
  expect(configHome(given)).toBe(is);
});
