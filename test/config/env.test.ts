// Which variables of the environment are ours, and by which names.

import { expect, test } from "vitest";
import { readEnv } from "../../src/config/env.ts";

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
