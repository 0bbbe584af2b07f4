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
      // Only the build may set these three variables.
      PLATFORM_VERSION: "1.2.3",
      PLATFORM_COMMIT: "abc",
      PLATFORM_BUILD_TIME: "2026-01-02T03:04:05.678Z",
      PATH: "/bin",
    }),
  ).toEqual({ PORT: "80", "": "nameless" });
});

test.each<[given: Record<string, string>, folder: string]>([
  [{ XDG_CONFIG_HOME: "/etc/me", HOME: "/home/me" }, "/etc/me"],
  [{ HOME: "/home/me" }, "/home/me/.config"],
  [{ XDG_CONFIG_HOME: "", HOME: "/home/me" }, "/home/me/.config"],
  [{ XDG_CONFIG_HOME: "relative", HOME: "/home/me" }, "/home/me/.config"],
  [{}, join(userInfo().homedir, ".config")],
  [{ HOME: "relative" }, join(userInfo().homedir, ".config")],
])("with %j, the folder for a user's settings is %s", (given, folder) => {
  expect(configHome(given)).toBe(folder);
});
