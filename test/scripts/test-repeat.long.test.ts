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

test("each problem is printed with its details and with how often it was, and nothing remains", async () => {
  const { run, left } = repeat(red, "2", "suite");
  const { status, stdout, stderr } = await run.ended;
  expect([stderr, status]).toEqual(["", 1]);
  const [, first = "", second = "", counts = ""] =
    /^(run 1 .*)^(run 2 .*?)(^suite.*: in \d of 2 runs$.*)/ms.exec(stdout) ?? [];
  expect(first).toMatch(/^run 1 of 2: 1 failed \| 4 passed \(5\), \d+ s, \d+ s of CPU time\n/);
  expect(first).toMatch(/the number of the run.*- 2\n.*^files left behind.*:\nforgotten-/ms);
  expect(second).toMatch(/^run 2 of 2: 5 passed \(5\), \d+ s, \d+ s of CPU time\n/);
  expect(second).toMatch(/nobody waits for it.*^processes left behind:\n.*setInterval/ms);
  expect(counts.split("\n")).toEqual([
    "suite.test.mjs > second: in 1 of 2 runs",
    "files left behind in the temporary folder: in 2 of 2 runs",
    "Unhandled Errors: in 1 of 2 runs",
    "processes left behind: in 1 of 2 runs",
    "",
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
