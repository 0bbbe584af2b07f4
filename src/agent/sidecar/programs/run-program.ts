// Runs one program of the configuration: an argv without a shell, in a process group of its own, with
// no more of the environment than it is allowed, and with bounds on what is kept of its output.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { messageOf } from "../../connection/errors.ts";
import type { ExecConfig } from "../config/config.ts";
import { type Place, pathIn } from "../place.ts";
import { Beginning, Ending } from "./kept-output.ts";
import { ownGroup, ProcessGroup } from "./process-group.ts";
import { environmentOf } from "./program-environment.ts";

export interface ProgramRun {
  place: Place;
  /** What the program can read; else its standard input is empty. */
  stdin?: string | undefined;
  /** Its abortion ends the program's whole group. */
  signal: AbortSignal;
  /** As much of standard output is kept; the rest is read and thrown away. */
  maxBytes: number;
  /** Between SIGTERM and SIGKILL; default 2 s. */
  graceMs?: number | undefined;
  /** When it is aborted, rejects only when the group is gone. */
  untilGone?: boolean | undefined;
}

export interface ProgramEnd {
  /** Null when a signal ended it. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  /** Of all that it wrote there. */
  stdoutBytes: number;
  /** There was more than `maxBytes` of it. */
  cut: boolean;
  /** The last lines, at most 20 of together 4 KiB, without control characters. */
  stderr: string[];
}

const defaultGraceMs = 2000;
const stderrLimits = { bytes: 4096, lines: 20 };
/** How long after the program's end nothing must come, before what it left running is not read more. */
const quietMs = 200;
/** … and how long it is read at most, when that goes on writing. */
const lingeringMs = 1000;

/**
 * Answers however the program ends. Rejects with an Error whose message is for an operator when it
 * cannot be started, and with the signal's reason as soon as that is aborted: the group is then still
 * being ended (`endAllPrograms` waits for that). What a program that has ended by itself leaves running
 * is left alone.
 */
export async function runProgram(exec: ExecConfig, run: ProgramRun): Promise<ProgramEnd> {
  const { place, signal } = run;
  const cwd = pathIn(place, exec.cwd ?? ".");
  await checkFolder(cwd);
  signal.throwIfAborted();
  const child = start(exec, cwd, place);
  if (child.pid === undefined) throw await failureOf(child, exec);
  return follow(child, run);
}

function follow(child: ChildProcessWithoutNullStreams, run: ProgramRun): Promise<ProgramEnd> {
  const { signal, maxBytes, graceMs = defaultGraceMs } = run;
  const group = new ProcessGroup(child, graceMs);
  const stdout = new Beginning(maxBytes);
  const stderr = new Ending(stderrLimits.bytes);
  child.stdout.on("data", (chunk: Buffer) => stdout.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));
  // A program need not read, and may close its ends: that is no failure of the run.
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on("error", () => undefined);
  }
  child.stdin.end(run.stdin ?? "");
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      const gone = group.end().then(() => letGo(child));
      if (run.untilGone) void gone.then(() => reject(signal.reason));
      else reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    // Such as a signal that could not be sent; the end is told by `close` all the same.
    child.on("error", () => undefined);
    child.once("exit", () => letGoWhenQuiet(child, () => stdout.bytes + stderr.bytes));
    child.once("close", (status, endedBy) => {
      signal.removeEventListener("abort", onAbort);
      group.release();
      if (signal.aborted) return;
      resolve({
        status,
        signal: endedBy,
        stdout: stdout.text(),
        stdoutBytes: stdout.bytes,
        cut: stdout.isCut,
        stderr: stderr.lines(stderrLimits.lines).map(printable),
      });
    });
  });
}

function start(exec: ExecConfig, cwd: string, place: Place): ChildProcessWithoutNullStreams {
  const [program = "", ...words] = exec.command;
  const env = environmentOf(exec, place);
  try {
    return spawn(program, words, { ...ownGroup, cwd, env, stdio: "pipe", shell: false });
  } catch (error) {
    throw cannotStart(exec, error);
  }
}

/** What its children hold open would else keep the run, and the agent, from ending. */
function letGo(child: ChildProcessWithoutNullStreams): void {
  child.stdout.destroy();
  child.stderr.destroy();
}

/** Once the program has ended: `bytesSoFar` counts what came of its output. */
function letGoWhenQuiet(child: ChildProcessWithoutNullStreams, bytesSoFar: () => number): void {
  const deadline = performance.now() + lingeringMs;
  let timer: NodeJS.Timeout;
  // Behind the timer comes the reading, and only then the look: what lies in the pipe is not lost.
  const lookAfter = (seen: number) => {
    timer = setTimeout(() => setImmediate(look, seen), quietMs);
  };
  const look = (seen: number) => {
    if (bytesSoFar() === seen || performance.now() > deadline) letGo(child);
    else lookAfter(bytesSoFar());
  };
  lookAfter(bytesSoFar());
  child.once("close", () => clearTimeout(timer));
}

async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch((error: unknown) => {
    const { code } = error as { code?: string };
    const reason = code === "ENOENT" ? "there is no such folder" : messageOf(error);
    throw new Error(`the working directory ${cwd} cannot be used: ${reason}`);
  });
  if (!found.isDirectory()) throw new Error(`the working directory ${cwd} is not a folder`);
}

function failureOf(child: ChildProcessWithoutNullStreams, exec: ExecConfig): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(cannotStart(exec, error)));
  });
}

function cannotStart(exec: ExecConfig, error: unknown): Error {
  const [program = ""] = exec.command;
  const isNowhere = (error as { code?: string }).code === "ENOENT" && !program.includes("/");
  const reason = isNowhere ? "no folder of PATH has it" : reasonOf(error);
  return new Error(`the program ${program} cannot be started: ${reason}`, { cause: error });
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file, or no interpreter such as its first line names",
  EACCES: "it may not be executed",
  E2BIG: "its arguments are too long",
  ENOTDIR: "a part of its path is not a folder",
  EMFILE: "too many files are open",
  EAGAIN: "too many processes run",
};

function reasonOf(error: unknown): string {
  const { code = "" } = error as { code?: string };
  return reasons[code] ?? messageOf(error);
}

function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return stripVTControlCharacters(line).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "�");
}
