// Where temporary files are kept in memory, for tests: nothing of theirs outlives them, and a fifth of
// their time was waiting until a disk had it.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "/dev/shm";

/** Several times what all tests at once have ever held. */
const enoughBytes = 2 ** 30;

/** Null where there is no such folder, too little room in it, or programs may not run from it. */
export function memoryFolder(): string | null {
  if (!existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= enoughBytes && runsPrograms() ? folder : null;
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
