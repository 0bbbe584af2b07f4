// Runs parts of this program in child processes, so that they do not block the event loop.
// (docs/decisions/0014-child-processes.md)

import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { wholeEnvironment } from "../../config/env.ts";
import type { TrailWalk, WalkTrail } from "../../domain/audit/trail-walks.ts";
import { AppError, isErrorCode } from "../../domain/errors.ts";
import type { CopyDatabase, CopyReport } from "../../domain/storage/backups.ts";
import type { CheckDatabase, CheckReport } from "../../domain/storage/database-checks.ts";
import { selfCommand } from "../self.ts";

interface InChild {
  copyDatabase: CopyDatabase;
  checkDatabase: CheckDatabase;
  walkTrail: WalkTrail;
}

export const inChild: InChild = {
  async copyDatabase({ from, to, auditKeyFile }, signal) {
    const files = [`--from=${from}`, `--to=${to}`, `--audit-key=${auditKeyFile}`];
    const printed = await runSelf(["copy-database", ...files, "-o", "jsonl"], signal);
    return JSON.parse(printed) as CopyReport;
  },

  async checkDatabase({ file, auditKeyFile, deep, draft }, signal) {
    const words = ["check-database", `--file=${file}`, "-o", "jsonl"];
    if (auditKeyFile !== null) words.push(`--audit-key=${auditKeyFile}`);
    if (deep) words.push("--deep");
    if (draft) words.push("--draft");
    return JSON.parse(await runSelf(words, signal)) as CheckReport;
  },

  async walkTrail({ place, incremental }, signal) {
    const words = ["walk-trail", `--audit-key=${place.auditKeyFile}`, "-o", "jsonl"];
    if (incremental) words.push("--incremental");
    if (place.kind === "file") words.push(`--file=${place.file}`);
    // Other users can see a process's arguments, but not its environment.
    const env = place.kind === "file" ? {} : { PLATFORM_DATABASE_URL: place.url };
    return JSON.parse(await runSelf(words, signal, env)) as TrailWalk;
  },
};

/**
 * `words` must end in `-o jsonl`. Rejects with the child's AppError, UNAVAILABLE, or the signal's
 * reason. The child ends with this process, unless this process is killed. `environment` is added
 * to this process's own.
 */
export async function runSelf(
  words: string[],
  signal: AbortSignal,
  environment: Record<string, string> = {},
): Promise<string> {
  signal.throwIfAborted();
  const env = { ...wholeEnvironment(), ...environment };
  const child = startSelf(words, (command, args, options) =>
    spawn(command, args, { ...options, env, stdio: ["ignore", "pipe", "pipe"] }),
  );
  const end = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  try {
    const ran = [once(child, "close"), text(child.stdout), text(child.stderr)] as const;
    const [[status, endedBy], stdout, stderr] = await Promise.all(ran).catch(throwNotRun);
    if (status === 0) return stdout;
    signal.throwIfAborted();
    throw childError(words[0] ?? "", status ?? endedBy, stderr);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/**
 * The child ends with this process. Unless `priority` is `prompt`, it runs at a lower priority than
 * this process.
 */
export function startSelf<Child extends ChildProcess>(
  words: string[],
  start: (command: string, args: string[], options: SpawnOptionsWithoutStdio) => Child,
  priority?: "prompt",
): Child {
  const [command, ...args] = selfCommand("platform", words);
  const child = start(command, args, { windowsHide: true });
  if (priority !== "prompt") lowerPriority(child.pid);
  const end = () => void child.kill("SIGKILL");
  const forget = () => void process.off("exit", end);
  process.once("exit", end);
  child.once("exit", forget).once("error", forget);
  return child;
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The child has already ended, or the host does not allow a change of priority.
  }
}

function throwNotRun(cause: unknown): never {
  throw new AppError("UNAVAILABLE", "This program cannot start a child process.", { cause });
}

function childError(name: string, ending: number | NodeJS.Signals, stderr: string): AppError {
  const cause = new Error(`platform ${name} ended with ${ending}: ${stderr.slice(-2000).trim()}`);
  const reported = reportedIn(stderr);
  if (reported && isErrorCode(reported.code)) {
    return new AppError(reported.code, reported.message, { cause });
  }
  const how =
    typeof ending === "number" ? `exited with status ${ending}` : `was ended by ${ending}`;
  const message = `A child process of this program ${how} before it finished.`;
  return new AppError("UNAVAILABLE", message, { cause });
}

function reportedIn(stderr: string): { code: string; message: string } | null {
  try {
    return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;
  } catch {
    return null;
  }
}
