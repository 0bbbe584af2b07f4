// A disk of a few megabytes that a test can fill: a tmpfs in its own mount namespace, if the user may
// create one.

import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openNamespace } from "./namespace.ts";

export interface SmallDisk {
  readonly folder: string;
  /** The words to put before a command that must see the disk. */
  readonly enter: readonly [string, ...string[]];
  /** Returns the path by which this process can reach a path on the disk. */
  outside(path: string): string;
  /** Writes a file until the disk is full. Returns the function that removes the file. */
  fill(): () => void;
}

export function hasSmallDisks(): boolean {
  const script = 'mount -t tmpfs -o size=1m none "$1"';
  return spawnSync("unshare", ["-rm", "sh", "-ec", script, "sh", "/tmp"]).status === 0;
}

/** Mounts a disk on `folder`, which must exist and be empty. The disk is removed after the test. */
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
    fill() {
      const filler = outside(join(folder, "filler"));
      writeUntilFull(filler);
      return () => rmSync(filler);
    },
  };
}

function writeUntilFull(path: string): void {
  const file = openSync(path, "w");
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
