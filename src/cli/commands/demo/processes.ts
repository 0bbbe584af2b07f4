// The demo's programs are processes of this executable. Their output is written to files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foreignEnvironment } from "../../../config/env.ts";
import { selfCommand } from "../../self.ts";

/** Leaves out the caller's settings, because the demo must not change another server. */
function demoEnvironment(folder: string): Record<string, string | undefined> {
  return { ...foreignEnvironment(), XDG_CONFIG_HOME: join(folder, "config") };
}

export type Program = ReturnType<typeof startProgram>;

/** `file` gets the standard output and error. It must be in `folder` and must not exist yet. */
export function startProgram(
  folder: string,
  file: string,
  name: string,
  words: string[],
  env: Record<string, string>,
) {
  const descriptor = openSync(file, "ax", 0o600);
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
    /** Where the program listens; empty until it does. */
    url: "",
    output: () => readFileSync(file, "utf8"),
    running,
    async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM") {
      if (running()) child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), 12_000);
      await ended;
      clearTimeout(timer);
    },
    /** Lets the program continue when this process exits. */
    release: () => child.unref(),
  };
}
