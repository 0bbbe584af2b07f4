import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configHome, readEnv } from "../../src/config/env.ts";

test("variables of this service begin with PLATFORM_, and empty ones count as absent", () => {
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
    what: "an empty XDG_CONFIG_HOME",
    given: { XDG_CONFIG_HOME: "", HOME: "/home/me" },
    is: "/home/me/.config",
  },
  {
    what: "a relative XDG_CONFIG_HOME",
    given: { XDG_CONFIG_HOME: "me", HOME: "/me" },
    is: "/me/.config",
  },
  { what: "no HOME", given: {}, is: join(userInfo().homedir, ".config") },
  { what: "a relative HOME", given: { HOME: "me" }, is: join(userInfo().homedir, ".config") },
])("the folder for a user's settings is found with $what", ({ given, is }) => {
  expect(configHome(given)).toBe(is);
});
