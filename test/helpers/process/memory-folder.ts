// Finds a folder that is kept in memory, for the tests' temporary files. The files need not survive
// the tests, and waiting for a disk took a fifth of the tests' time.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "/dev/shm";

/** Several times the most that all concurrent tests have ever used. */
const enoughBytes = 2 ** 30;

/**
 * Returns null if there is no such folder, if it has too little space, or if this user may not
 * write to it or run programs from it.
 */
export function memoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes && runsPrograms() ? folder : null;
  } catch {
    return null;
  }
}

function runsPrograms(): boolean {
  const own = mkdtempSync(join(folder, "platform-program-"));
  try {
    const program = join(own, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(own, { recursive: true });
  }
}
