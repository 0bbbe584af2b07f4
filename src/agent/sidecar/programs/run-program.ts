// Runs a program without a shell, in its own process group.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { messageOf, reasonFrom } from "../../connection/errors.ts";
import type { ActionOutput } from "../../services/services.ts";
import type { ExecConfig } from "../config/config.ts";
import { type ConfigOrigin, pathIn } from "../config/config-origin.ts";
import { Beginning, Ending } from "./bounded-output.ts";
import { ownGroup, ProcessGroup } from "./process-group.ts";
import { environmentOf } from "./program-environment.ts";

export interface ProgramRun {
  origin: ConfigOrigin;
  /** The text for standard input. Default: empty. */
  stdin?: string | undefined;
  /** Aborting the signal ends the whole process group. */
  signal: AbortSignal;
  /** Gets the output while the program runs. */
  live?: ActionOutput | undefined;
  /** How many bytes of standard output are kept; the rest is discarded. */
  maxBytes: number;
  /** The time between SIGTERM and SIGKILL; default 2 s. */
  graceMs?: number | undefined;
  /**
   * Whether the run, after an abort, also lasts until processes that the agent may not signal have
   * ended. The caller must limit its wait.
   */
  untilGone?: boolean | undefined;
}

export interface ProgramEnd {
  /** The status is null if a signal terminated the program. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  /** The size of the whole standard output. */
  stdoutBytes: number;
  cut: boolean;
  /** The last lines, at most 20 and 4 KiB in all, without control characters. */
  stderr: string[];
}

const defaultGraceMs = 2000;
const stderrLimits = { bytes: 4096, lines: 20 };
/** After the program's exit, reading stops when its children have written nothing for this time. */
const quietMs = 200;
/** After the program's exit, reading stops after this time at the latest. */
const lingeringMs = 1000;

/**
 * Resolves for any exit status. If the program cannot be started, rejects with an Error that has
 * a message for operators. After an abort, ends the whole process group, so that none of its
 * processes still runs when the next program starts, and then rejects with the signal's reason.
 * Processes that the agent may not signal continue; see `untilGone`. Without an abort, children that
 * outlive the program continue.
 */
export async function runProgram(exec: ExecConfig, run: ProgramRun): Promise<ProgramEnd> {
  const { origin, signal } = run;
  signal.throwIfAborted();
  const [program = "", ...words] = exec.command;
  const cwd = pathIn(origin, exec.cwd ?? ".");
  const env = environmentOf(exec, origin);
  try {
    const child = spawn(program, words, { ...ownGroup, cwd, env, stdio: "pipe", shell: false });
    if (child.pid !== undefined) return follow(child, run);
    throw (await once(child, "error"))[0];
  } catch (error) {
    // The system reports a missing folder like a missing program.
    await checkFolder(cwd);
    throw cannotStart(exec, error);
  }
}

function follow(child: ChildProcessWithoutNullStreams, run: ProgramRun): Promise<ProgramEnd> {
  const { signal, maxBytes, graceMs = defaultGraceMs } = run;
  const group = new ProcessGroup(child, graceMs);
  const stdout = new Beginning(maxBytes);
  const stderr = new Ending(stderrLimits.bytes);
  child.stdout.on("data", (chunk: Buffer) => {
    stdout.add(chunk);
    run.live?.write(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr.add(chunk);
    run.live?.stderr.write(chunk);
  });
  // A program does not have to read its input, and can close its streams.
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on("error", () => undefined);
  }
  child.stdin.end(run.stdin ?? "");
  return new Promise((resolve, reject) => {
    const onAbort = async () => {
      await group.end();
      letGo(child);
      if (run.untilGone) await group.gone();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    // `close` reports the end even after an error.
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

/** A program that continues, or streams that its children hold open, would keep the agent alive. */
function letGo(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  child.stdout.destroy();
  child.stderr.destroy();
}

/** `bytesSoFar` returns the size of the program's output. */
function letGoWhenQuiet(child: ChildProcessWithoutNullStreams, bytesSoFar: () => number): void {
  const deadline = performance.now() + lingeringMs;
  let timer: NodeJS.Timeout;
  // setImmediate runs after pending reads, so that data in the pipe is not lost.
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
    const reason = code === "ENOENT" ? "no such folder" : messageOf(error);
    throw new Error(`the working directory ${cwd} cannot be used: ${reason}`);
  });
  if (!found.isDirectory()) throw new Error(`the working directory ${cwd} is not a folder`);
}

function cannotStart(exec: ExecConfig, error: unknown): Error {
  const [program = ""] = exec.command;
  const isNowhere = (error as { code?: string }).code === "ENOENT" && !program.includes("/");
  const reason = isNowhere ? "it is not in PATH" : reasonFrom(reasons, error);
  return new Error(`the program ${program} cannot be started: ${reason}`, { cause: error });
}

const reasons: Record<string, string> = {
  ENOENT: "no such file, or the interpreter in its first line does not exist",
  EACCES: "it is not executable",
  E2BIG: "its arguments are too long",
  ENOTDIR: "a part of its path is not a folder",
  EMFILE: "too many open files",
  EAGAIN: "too many processes",
};

function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
  return stripVTControlCharacters(line).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "�");
}
