// Repeats a suite of a few tests, whose results depend on how often they have run.

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { isAlive } from "../helpers/process/alive.ts";
import { startCommand, until } from "../helpers/process/process.ts";

const project = join(import.meta.dirname, "../..");
const program = join(project, "scripts/test-repeat/index.ts");

const start = `
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

appendFileSync("runs", "x");
const run = readFileSync("runs", "utf8").length;
`;

const suite = {
  red: `${start}
    test("always", () => undefined);
    test("second", () => expect(run, "the number of the run").toBe(2));
    test("stray", () => void (run === 2 && Promise.reject(new Error("nobody waits for it"))));
    test("files", () => void mkdtempSync(join(tmpdir(), "forgotten-")));
    test("processes", () => {
      const words = ["-e", "setInterval(() => undefined, 1000)"];
      if (run === 2) spawn(process.execPath, words, { detached: true, stdio: "ignore" }).unref();
    });`,
  hanging: `${start}
    test("hangs", () => {
      const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,command="]);
      writeFileSync("processes.new", stdout);
      renameSync("processes.new", "processes");
      return new Promise(() => undefined);
    }, 600_000);`,
};

/** Starts `npm run test:repeat -- <words>` on the suite. `left` lists what it has left behind. */
function repeat(...words: string[]) {
  const folder = temporaryFolder();
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["vitest", "vite"]) {
    symlinkSync(join(project, "node_modules", name), join(folder, "node_modules", name));
  }
  for (const [name, text] of Object.entries(suite)) {
    writeFileSync(join(folder, `${name}.test.mjs`), text);
  }
  const run = startCommand([process.execPath, program, ...words], {
    cwd: folder,
    env: { TMPDIR: temporary },
  });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const left = () => [
    ...readdirSync(temporary),
    ...readdirSync(join(folder, "node_modules")).filter((name) => name.startsWith(".load-")),
  ];
  return { run, read, left };
}

test("each failure of any run is printed once, with how often it was", async () => {
  const { run, left } = repeat("2", "red");
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
  expect(left()).toEqual([]);
});

test("Ctrl-C ends the tests and the load", async () => {
  const { run, read, left } = repeat("2", "--load", "hanging");
  const processes = await until("the test runs", () => {
    try {
      return read("processes");
    } catch {
      return null;
    }
  });
  run.signal("SIGINT");
  expect((await run.ended).status).toBe(130);
  const load = processes
    .split("\n")
    .map((line) => /^ *(\d+) +(\d+) .*test-repeat\/load\.ts/.exec(line))
    .filter((match) => match?.[2] === String(run.pid))
    .map((match) => Number(match?.[1]));
  expect(load).toHaveLength(3);
  expect(load.filter(isAlive)).toEqual([]);
  expect(left()).toEqual([]);
});
