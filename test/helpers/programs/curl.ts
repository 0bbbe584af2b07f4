// Where scripts in tests find `curl`: the machine's own, or the one in curl-program.ts.

import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../app.ts";

/** Whether the machine has one. */
export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** The PATH with a `curl` on it, whatever the machine has. */
export function pathWithCurl(path: string): string {
  return hasCurl ? path : [folderWithCurl(), path].join(delimiter);
}

/** A folder with our own `curl` in it, which is gone after the test. */
export function folderWithCurl(): string {
  const folder = temporaryFolder();
  const file = join(folder, "curl");
  const program = join(import.meta.dirname, "curl-program.ts");
  const flags = "--disable-warning=ExperimentalWarning";
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' ${flags} '${program}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
