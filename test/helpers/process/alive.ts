// Whether a process that is not a child of the test is still there.

import { spawnSync } from "node:child_process";

/** A zombie that nobody has reaped yet is gone too. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
