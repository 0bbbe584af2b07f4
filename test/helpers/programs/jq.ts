// Where scripts in tests find `jq`: the machine's own, or the one in jq-program.ts.

import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../app.ts";

/** Whether the machine has one. */
export const hasJq = spawnSync("jq", ["--version"]).status === 0;

/** The PATH with a `jq` on it, whatever the machine has. */
export function pathWithJq(path: string): string {
  return hasJq ? path : [folderWithJq(), path].join(delimiter);
}

/** A folder with our own `jq` in it, which is gone after the test. */
export function folderWithJq(): string {
  const folder = temporaryFolder();
  const file = join(folder, "jq");
  const program = join(import.meta.dirname, "jq-program.ts");
  const flags = "--disable-warning=ExperimentalWarning";
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' ${flags} '${program}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
