// Repeats a suite whose results depend on how often it has run, and interrupts one that never ends.

import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { descendantsOf, isAlive } from "../helpers/process/alive.ts";
import { startCommand, until } from "../helpers/process/process.ts";

const project = join(import.meta.dirname, "../..");
const program = join(project, "scripts/test-repeat/index.ts");

const red = `
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

// Its process is in a process group of its own, so it does not end with the tests.
const hanging = `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "vitest";

test("hangs", () => {
  spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();
  writeFileSync("hangs", "");
  return new Promise(() => undefined);
}, 600_000);
`;

/**
 * Starts `npm run test:repeat -- <words>` in a folder with the suite. `left` returns the temporary
 * files.
 */
function repeat(suite: string, ...words: string[]) {
  const folder = temporaryFolder();
  const [temporary, modules] = [join(folder, "tmp"), join(folder, "node_modules")];
  for (const name of [temporary, modules]) mkdirSync(name);
  for (const name of ["vitest", "vite"]) {
    symlinkSync(join(project, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder, "suite.test.mjs"), suite);
  const run = startCommand([process.execPath, program, ...words], {
    cwd: folder,
    env: { TMPDIR: temporary },
    group: true,
  });
  const left = () => [
    ...readdirSync(temporary),
    ...readdirSync(modules).filter((name) => name.startsWith(".load-")),
  ];
  return { folder, run, left };
}

test("each failure of any run is printed once, with how often it was, and nothing remains", async () => {
  const { run, left } = repeat(red, "2", "suite");
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
      /^suite\.test\.mjs > second: in 1 of 2 runs\n.*the number of the run.*- 2\n/s,
    ),
    expect.stringMatching(
      /^files left behind in the temporary folder: in 2 of 2 runs\n {2}forgotten-/,
    ),
    expect.stringMatching(/^an error outside of tests: in 1 of 2 runs\n.*nobody waits for it/s),
    expect.stringMatching(/^processes left behind: in 1 of 2 runs\n.*setInterval/s),
  ]);
  expect(left()).toEqual([]);
});

test("Ctrl-C ends the tests and the load, and nothing remains", async () => {
  const { folder, run, left } = repeat(hanging, "2", "--load");
  await until("the test runs", () => existsSync(join(folder, "hangs")));
  const started = descendantsOf(run.pid);
  const commands = started.map(({ command }) => command);
  expect(commands).toContain("sleep 600");
  expect(commands.filter((command) => command.includes("test-repeat/load.ts"))).toHaveLength(3);
  // A terminal interrupts the whole process group.
  process.kill(-run.pid, "SIGINT");
  expect(await run.ended).toMatchObject({ status: 130, stdout: "", stderr: "" });
  expect(left()).toEqual([]);
  // A process that has got SIGKILL ends a moment later.
  await until("all processes have ended", () => !started.some(({ pid }) => isAlive(pid)));
});
