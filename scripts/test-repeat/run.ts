// Runs the tests once, in a temporary folder of their own, and finds what they leave behind.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { memoryFolder } from "../../test/helpers/process/memory-folder.ts";

/** A failed test, a failed file, an error outside of all tests, or something left behind. */
export interface Failure {
  /** Is the same in each run. */
  name: string;
  output: string;
}

export interface TestRun {
  passed: number;
  failed: number;
  skipped: number;
  wallMs: number;
  /** User and system time of Vitest and of all processes below it. */
  cpuSeconds: number;
  failures: Failure[];
}

/** The part of Vitest's JSON report that is used. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
}

const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

/** The shell measures the CPU time, because Node does not know the time of its child processes. */
const timed = 'times="$1"; shift; "$@"; status=$?; times >"$times"; exit $status';

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
    const json = join(own, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${json}`];
    const words = [process.execPath, vitest, "run", ...reporters, ...patterns];
    const output = openSync(join(own, "output"), "w");
    const began = performance.now();
    const child = spawn("/bin/sh", ["-c", timed, "sh", join(own, "times"), ...words], {
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

    const text = stripVTControlCharacters(readFileSync(join(own, "output"), "utf8"));
    const report: Report | null = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : null;
    const failures = [...failuresIn(report, cwd, status, text), ...left];
    return {
      passed: report?.numPassedTests ?? 0,
      failed: report?.numFailedTests ?? 0,
      skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
      wallMs,
      cpuSeconds: cpuSecondsIn(join(own, "times")),
      failures,
    };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function failuresIn(
  report: Report | null,
  cwd: string,
  status: number | null,
  text: string,
): Failure[] {
  if (report === null) return [{ name: "Vitest wrote no report", output: text }];
  const failures = report.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(cwd, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (status === "failed" && failed.length === 0) {
      return [{ name: file, output: sectionOf(file, text) ?? message }];
    }
    return failed.map(({ ancestorTitles, title, failureMessages }) => {
      const name = [file, ...ancestorTitles, title].join(" > ");
      return { name, output: sectionOf(name, text) ?? failureMessages.join("\n") };
    });
  });
  const [, outside] = text.split(/^⎯+ Unhandled Errors? ⎯+$/m);
  if (outside !== undefined) failures.push({ name: "an error outside of tests", output: outside });
  if (status !== 0 && failures.length === 0) {
    failures.push({ name: `Vitest ended with status ${status}`, output: text.slice(-5000) });
  }
  return failures;
}

/** What Vitest printed about the failure of a test or file, with the difference and the source. */
function sectionOf(name: string, text: string): string | undefined {
  return text
    .split(/^⎯+\[\d+\/\d+\]⎯+$/m)
    .map((section) => section.slice(Math.max(0, section.search(/^ FAIL /m))))
    .find((section) => /^ FAIL .*/gm.exec(section)?.[0].includes(name));
}

/** Returns what is left in the folder, and the processes that still use it, which are ended. */
async function leftBehind(folder: string, withinMs: number): Promise<Failure[]> {
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
    ...(commands ? [{ name: "processes left behind", output: commands }] : []),
    ...(files ? [{ name: "files left behind in the temporary folder", output: files }] : []),
  ];
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

/**
 * Adds up the second line of the shell's `times`, the children's user and system time: `1m2.34s
 * 0m5.67s`.
 */
function cpuSecondsIn(file: string): number {
  if (!existsSync(file)) return 0;
  const [, children = ""] = readFileSync(file, "utf8").split("\n");
  return [...children.matchAll(/(\d+)m([\d.,]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds?.replace(",", ".")),
    0,
  );
}

/** `425.3` is `7:05`. */
export function minutesOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
