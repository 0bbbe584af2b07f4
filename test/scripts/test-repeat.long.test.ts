// Repeats a suite whose results depend on how often it has run.

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { startCommand } from "../helpers/process/process.ts";

const project = join(import.meta.dirname, "../..");
const program = join(project, "scripts/test-repeat/index.ts");

const suite = `
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

appendFileSync("runs", "x");
const run = readFileSync("runs", "utf8").length;
test("always", () => undefined);
test("second", () => expect(run, "the number of the run").toBe(2));
test("stray", () => void (run === 2 && Promise.reject(new Error("nobody waits for it"))));
test("files", () => void mkdtempSync(join(tmpdir(), "forgotten-")));
test("processes", () => {
  const words = ["-e", "setInterval(() => undefined, 1000)"];
  if (run === 2) spawn(process.execPath, words, { detached: true, stdio: "ignore" }).unref();
});
`;

test("each failure of any run is printed once, with how often it was, and nothing remains", async () => {
  const folder = temporaryFolder();
  const temporary = join(folder, "tmp");
  for (const name of [temporary, join(folder, "node_modules")]) mkdirSync(name);
  for (const name of ["vitest", "vite"]) {
    symlinkSync(join(project, "node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "red.test.mjs"), suite);
  const words = [process.execPath, program, "2", "red"];
  const run = startCommand(words, { cwd: folder, env: { TMPDIR: temporary } });
  const { status, stdout, stderr } = await run.ended;
  expect([stderr, status]).toEqual(["", 1]);
  const [first, , , second] = stdout.split("\n");
  const times = String.raw`, \d+:\d\d wall time, \d+:\d\d CPU time$`;
  expect(first).toMatch(
    RegExp(`^run 1 of 2: 4 passed, 1 failed, 0 skipped, 1 other problem${times}`),
  );
  expect(second).toMatch(
    RegExp(`^run 2 of 2: 5 passed, 0 failed, 0 skipped, 3 other problems${times}`),
  );
  const failures = stdout.split(/\n\n(?=\S)/).slice(1);
  expect(failures).toEqual([
    expect.stringMatching(
      /^red\.test\.mjs > second: in 1 of 2 runs\n.*the number of the run.*- 2\n/s,
    ),
    expect.stringMatching(
      /^files left behind in the temporary folder: in 2 of 2 runs\n {2}forgotten-/,
    ),
    expect.stringMatching(/^an error outside of tests: in 1 of 2 runs\n.*nobody waits for it/s),
    expect.stringMatching(/^processes left behind: in 1 of 2 runs\n.*setInterval/s),
  ]);
  expect(readdirSync(temporary)).toEqual([]);
});
