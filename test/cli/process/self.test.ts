// Tests how this program finds itself, to start itself as a child process.

import { expect, test } from "vitest";
import { ownExecutable } from "../../../src/cli/self.ts";

test.each([
  [true, "linux", "/proc/self/exe"],
  [true, "darwin", process.execPath],
  [false, "linux", process.execPath],
] as const)("the executable is right (packaged: %j, on %s): %s", (packaged, platform, path) => {
  expect(ownExecutable(packaged, platform)).toBe(path);
});
