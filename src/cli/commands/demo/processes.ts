// The demo's programs are processes of this executable. Their output is written to files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foreignEnvironment } from "../../../config/env.ts";
import { selfCommand } from "../../self.ts";

/** Leaves out the caller's settings, because the demo must not change another server. */
export function demoEnvironment(folder: string): Record<string, string | undefined> {
  return { ...foreignEnvironment(), XDG_CONFIG_HOME: join(folder, "config") };
}

export type Program = ReturnType<typeof startProgram>;

export function startProgram(
  folder: string,
  name: string,
  words: string[],
  env: Record<string, string> = {},
) {
  const file = join(folder, `${name}.log`);
  const descriptor = openSync(file, "a", 0o600);
  const [command, ...args] = selfCommand("platform", words);
  const child = spawn(command, args, {
    // Uses its own process group, because on Ctrl-C the demo stops its programs in order.
    detached: true,
    stdio: ["ignore", descriptor, descriptor],
    env: { ...demoEnvironment(folder), ...env },
  });
  closeSync(descriptor);
  const ended = once(child, "exit").catch(() => undefined);
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    /** The standard output and error so far. */
    output: () => readFileSync(file, "utf8"),
    running,
    async stop() {
      if (running()) child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 12_000);
      await ended;
      clearTimeout(timer);
    },
    /** Ends the program as `kill -9` does. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    /** Lets the program continue when this process exits. */
    release: () => child.unref(),
  };
}
