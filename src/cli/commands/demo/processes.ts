// The demo's programs: started as separate processes of this very executable, their output in files,
// ended when the demo ends.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { foreignEnvironment } from "../../../config/env.ts";
import { selfCommand } from "../../self.ts";

/**
 * What the demo's programs are told: nothing of what the caller has set for a server of his own, and no
 * context that he has signed in to. The demo disables agents and runs actions: on its own stage alone.
 */
export function demoEnvironment(folder: string): Record<string, string | undefined> {
  return { ...foreignEnvironment(), XDG_CONFIG_HOME: join(folder, "config") };
}

export interface Program {
  name: string;
  pid: number;
  /** What it has written so far: standard output and error together. */
  output(): string;
  running(): boolean;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
  /** Lets it live on when this process ends. */
  release(): void;
}

/** Starts `platform <words>`, writing to `<name>.log` in the folder. */
export function startProgram(
  folder: string,
  name: string,
  words: string[],
  env: Record<string, string> = {},
): Program {
  const file = join(folder, `${name}.log`);
  const descriptor = openSync(file, "a", 0o600);
  const [command, ...args] = selfCommand("platform", words);
  const child: ChildProcess = spawn(command, args, {
    // Its own process group: Ctrl-C reaches the demo, which ends its programs in order.
    detached: true,
    stdio: ["ignore", descriptor, descriptor],
    env: { ...demoEnvironment(folder), ...env },
  });
  closeSync(descriptor);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    output: () => readFileSync(file, "utf8"),
    running,
    async stop() {
      if (running()) child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 12_000);
      await ended;
      clearTimeout(timer);
    },
    release: () => child.unref(),
  };
}

export type Found<T> = T | null | undefined | false;

/** Looks every 100 ms until `look` finds something; throws with `what` after `seconds`. */
export async function until<T>(
  what: string,
  seconds: number,
  look: () => Found<T> | Promise<Found<T>>,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  while (true) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(100);
  }
}
