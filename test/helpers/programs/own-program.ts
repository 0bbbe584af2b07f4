// Makes a PATH in which scripts find `curl` and `jq`: the machine's, or else curl-program.ts and
// jq-program.ts.

import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../app.ts";
import { bin } from "../process/installed.ts";
import { cleanEnv } from "../process/process.ts";

type OwnProgram = "curl" | "jq";

function hasProgram(name: OwnProgram): boolean {
  return spawnSync(name, ["--version"]).status === 0;
}

/** Returns a PATH with platform, platformctl and these programs. */
export function pathWith(...names: OwnProgram[]): string {
  const folders = names.filter((name) => !hasProgram(name)).map(folderWith);
  return [...folders, bin, cleanEnv().PATH].join(delimiter);
}

/** Creates a folder with the replacement for the program. */
export function folderWith(name: OwnProgram): string {
  const folder = temporaryFolder();
  const file = join(folder, name);
  const program = join(import.meta.dirname, `${name}-program.ts`);
  const flags = "--disable-warning=ExperimentalWarning";
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' ${flags} '${program}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
