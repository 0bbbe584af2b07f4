// Runs the tests once, in a temporary folder of their own, and finds what they leave behind.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { memoryFolder } from "../../test/helpers/process/memory-folder.ts";

interface Found {
  /** Failed tests and files, errors outside of tests, and what is left behind. */
  problems: string[];
  /** The details of the problems. */
  output: string;
}

export interface TestRun extends Found {
  /** How many tests passed and failed, as Vitest counts them. */
  tests: string;
  wallMs: number;
  cpuSeconds: number;
}

const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

/** Lets the shell print the CPU time of the command, with that of all its children, at the end. */
const timed = '"$@"; status=$?; times; exit $status';

/** How long processes may take to end after the tests. */
const graceMs = 5000;

/** Once `stop` is aborted, ends the tests and returns an incomplete result. */
export async function runOnce(
  cwd: string,
  patterns: string[],
  stop: AbortSignal,
): Promise<TestRun> {
  const own = mkdtempSync(join(process.env.TMPDIR ?? memoryFolder() ?? tmpdir(), "repeat-"));
  const folder = join(own, "t");
  mkdirSync(folder);
  // If root runs the tests, programs of other users also write temporary files here.
  chmodSync(own, 0o755);
  chmodSync(folder, 0o1777);
  try {
    const output = openSync(join(own, "output"), "w");
    const began = performance.now();
    const command = [process.execPath, vitest, "run", "--reporter=default", ...patterns];
    const child = spawn("/bin/sh", ["-c", timed, "sh", ...command], {
      cwd,
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", output, output],
      // In its own process group, Vitest can be killed with all its children, and Ctrl-C interrupts
      // only this program.
      detached: true,
    });
    closeSync(output);
    const killAll = () => process.kill(-(child.pid ?? 0), "SIGKILL");
    stop.addEventListener("abort", killAll);
    const [status] = await once(child, "exit");
    stop.removeEventListener("abort", killAll);
    const wallMs = performance.now() - began;
    const left = await leftBehind(folder, stop.aborted ? 0 : graceMs);

    const printed = stripVTControlCharacters(readFileSync(join(own, "output"), "utf8"));
    const [, text = printed, ...cpu] =
      /^(.*\n)[^\n]+\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n$/s.exec(printed) ?? [];
    const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = cpu.map(Number);
    const [, tests = "no summary"] = /^ +Tests +(.+)$/m.exec(text) ?? [];
    const found = [...(status === 0 ? [] : [failuresIn(text, status)]), ...left];
    return {
      tests,
      wallMs,
      cpuSeconds: (userMinutes + systemMinutes) * 60 + user + system,
      problems: found.flatMap(({ problems }) => problems),
      output: found.map(({ output }) => output).join("\n"),
    };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Finds the failures in what Vitest has printed. */
function failuresIn(text: string, status: number | null): Found {
  const names = text.matchAll(/^(?: FAIL {2}(.+)|⎯+ (Unhandled Errors) ⎯+)$/gm);
  const problems = new Set(Array.from(names, ([, test, others]) => test ?? others ?? ""));
  if (problems.size === 0) problems.add(`Vitest ended with status ${status}`);
  const start = text.search(/^⎯+ (?:Failed|Unhandled) /m);
  return { problems: [...problems], output: text.slice(start === -1 ? -5000 : start) };
}

/** Returns what is left in the folder, and the processes that still use it, which are ended. */
async function leftBehind(folder: string, withinMs: number): Promise<Found[]> {
  const end = performance.now() + withinMs;
  let processes = processesWith(folder);
  while (processes.length > 0 && performance.now() < end) {
    await sleep(100);
    processes = processesWith(folder);
  }
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has just ended.
    }
  }
  const commands = processes.map(({ command }) => command.slice(0, 300)).join("\n");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort().join("\n");
  return [
    ...(commands ? [leftovers("processes left behind", commands)] : []),
    ...(files ? [leftovers("files left behind in the temporary folder", files)] : []),
  ];
}

function leftovers(problem: string, list: string): Found {
  return { problems: [problem], output: `${problem}:\n${list}\n` };
}

/** All processes that the tests start have the folder in their environment or arguments. */
function processesWith(folder: string): { pid: number; command: string }[] {
  // With both options, ps prints the environment after the arguments.
  const options = process.platform === "darwin" ? "-axEww" : "axeww";
  const listed = execFileSync("ps", [options, "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return listed
    .split("\n")
    .filter((line) => line.includes(folder))
    .map((line) => {
      const [, pid, command = ""] = /^ *(\d+) (.*)$/.exec(line) ?? [];
      return { pid: Number(pid), command };
    });
}
