// Checks whether a process that is not a child of the test is still running.

import { spawnSync } from "node:child_process";

/** A zombie that has not been reaped yet counts as ended. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
