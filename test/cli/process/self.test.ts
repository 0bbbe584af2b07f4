// Tests how this program finds itself, to start itself as a child process.

import { expect, test } from "vitest";
import { ownExecutable, selfCommand } from "../../../src/cli/self.ts";

test.each([
  [true, "linux", "/proc/self/exe"],
  [true, "darwin", process.execPath],
  [false, "linux", process.execPath],
] as const)("the executable is right (packaged: %j, on %s): %s", (packaged, platform, path) => {
  expect(ownExecutable(packaged, platform)).toBe(path);
});

test("in a checkout, the program is Node.js with the main file", () => {
  const [command, ...words] = selfCommand("platformctl", ["version"]);
  expect(command).toBe(process.execPath);
  expect(words.slice(-3)).toEqual([
    expect.stringMatching(/src\/main\.ts$/),
    "--program=platformctl",
    "version",
  ]);
});
