// A shell script as a process of its own group, which ends with the test.

import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { cleanEnv, type Ended } from "./process.ts";

export interface Script {
  stderr(): string;
  stdout(): string;
  running(): boolean;
  /** To the shell alone, as an operator's `kill` does. */
  signal(name: NodeJS.Signals): void;
  /** SIGKILL, to all of the group. */
  kill(): void;
  ended: Promise<Ended>;
}

/** Starts `words` with the environment of `cleanEnv`; the whole group is killed when the test ends. */
export function startScript(words: string[], cwd: string, env: Record<string, string>): Script {
  const [command = "sh", ...args] = words;
  const child = spawn(command, args, {
    cwd,
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => resolve({ status, signal, ...printed }));
  });
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It has ended, and left nothing behind.
    }
  };
  onTestFinished(async () => {
    kill();
    await ended;
  });
  return {
    stderr: () => printed.stderr,
    stdout: () => printed.stdout,
    running: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    kill,
    ended,
  };
}
