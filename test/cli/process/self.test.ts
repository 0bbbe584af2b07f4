// Tests how the program starts itself, even after its packaged file was replaced or removed.

import { spawnSync } from "node:child_process";
import { copyFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownExecutable, selfCommand } from "../../../src/cli/self.ts";
import { temporaryFolder } from "../../helpers/app.ts";

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

test.skipIf(process.platform !== "linux")(
  "a removed program can start itself through /proc/self/exe",
  () => {
    const program = join(temporaryFolder(), "program");
    copyFileSync(process.execPath, program);
    const again = `require("fs").unlinkSync(process.execPath);
    const { stdout } = require("child_process").spawnSync("/proc/self/exe", ["-p", "6 * 7"]);
    process.stdout.write(stdout);`;
    const { stdout } = spawnSync(program, ["-e", again], { encoding: "utf8" });
    expect(stdout).toBe("42\n");
    expect(() => unlinkSync(program)).toThrow("ENOENT");
  },
);
