// Looks at processes that are not children of the test. A zombie counts as ended.

import { spawnSync } from "node:child_process";

export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

/** A process below another one. */
export interface Descendant {
  pid: number;
  command: string;
}

/** Returns the processes that the process has started, those that they have started, and so on. */
export function descendantsOf(pid: number): Descendant[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,command="], { encoding: "utf8" });
  const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(
    ([, pid, parent, command = ""]) => ({ pid: Number(pid), parent: Number(parent), command }),
  );
  const below = (parent: number): Descendant[] =>
    all
      .filter((process) => process.parent === parent)
      .flatMap(({ pid, command }) => [{ pid, command }, ...below(pid)]);
  return below(pid);
}
