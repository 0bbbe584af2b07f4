// Checks whether a process that is not a child of the test is running. A zombie counts as ended.

import { spawnSync } from "node:child_process";

export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
