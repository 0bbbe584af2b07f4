// A disk of a few megabytes that a test can fill, or take away, under a program that runs on it. It is a
// tmpfs in a mount namespace of its own, where a user may have one.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export interface SmallDisk {
  readonly folder: string;
  /** What to put before a command so that it sees the disk. */
  readonly enter: readonly [string, ...string[]];
  /** Where this process finds a path of the disk. */
  outside(path: string): string;
  /** Unmounts it; who has a file open goes on with it. */
  takeAway(): void;
}

export function hasSmallDisks(): boolean {
  const script = 'mount -t tmpfs -o size=1m none "$1"';
  return spawnSync("unshare", ["-rm", "sh", "-ec", script, "sh", "/tmp"]).status === 0;
}

/** `folder` is there, and empty; the disk is gone after the test. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=0700 none "$1"; echo ready; exec sleep 3600`;
  const words = ["-rm", "sh", "-ec", script, "sh", folder];
  const holder = spawn("unshare", words, { stdio: ["ignore", "pipe", "inherit"] });
  const killNow = () => void holder.kill("SIGKILL");
  process.once("exit", killNow);
  const ended = once(holder, "close");
  onTestFinished(async () => {
    killNow();
    await ended;
    process.off("exit", killNow);
  });
  await Promise.race([once(holder.stdout, "data"), ended]);
  if (holder.exitCode !== null) throw new Error("the disk cannot be mounted");
  const pid = String(holder.pid);
  const enter = ["nsenter", "-t", pid, "-U", "-m", "--preserve-credentials"] as const;
  return {
    folder,
    enter,
    outside: (path) => `/proc/${pid}/root${path}`,
    takeAway() {
      const [program, ...rest] = enter;
      const { status } = spawnSync(program, [...rest, "umount", "-l", folder]);
      if (status !== 0) throw new Error("the disk cannot be unmounted");
    },
  };
}
