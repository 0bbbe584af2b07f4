// A disk of a few megabytes that a test can fill, or take away from a running program: a tmpfs in its own
// mount namespace, if users are allowed to have one.

import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { openNamespace } from "./namespace.ts";

export interface SmallDisk {
  readonly folder: string;
  /** The words before a command that must see the disk. */
  readonly enter: readonly [string, ...string[]];
  /** The path by which this process finds a path of the disk. */
  outside(path: string): string;
  /** Unmounts it; open files stay usable. */
  takeAway(): void;
}

export function hasSmallDisks(): boolean {
  const script = 'mount -t tmpfs -o size=1m none "$1"';
  return spawnSync("unshare", ["-rm", "sh", "-ec", script, "sh", "/tmp"]).status === 0;
}

/** `folder` must exist and be empty; the disk is gone after the test. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=0700 none "$1"`;
  const namespace = await openNamespace("rm", mount, folder);
  if (!namespace) throw new Error("the disk cannot be mounted");
  onTestFinished(namespace.close);
  const { enter, outside } = namespace;
  return {
    folder,
    enter,
    outside,
    takeAway() {
      const [program, ...rest] = enter;
      const { status } = spawnSync(program, [...rest, "umount", "-l", folder]);
      if (status !== 0) throw new Error("the disk cannot be unmounted");
    },
  };
}
