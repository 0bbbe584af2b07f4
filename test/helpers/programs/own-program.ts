// Where scripts in tests find `curl` and `jq`: the machine's own, or the ones in curl-program.ts and
// jq-program.ts.

import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../app.ts";

type OwnProgram = "curl" | "jq";

/** Whether the machine has the program. */
export function hasProgram(name: OwnProgram): boolean {
  return spawnSync(name, ["--version"]).status === 0;
}

/** Returns a PATH that contains these programs, whatever the machine has. */
export function pathWith(names: OwnProgram[], path = ""): string {
  return [...names.filter((name) => !hasProgram(name)).map(folderWith), path].join(delimiter);
}

/** Creates a folder with our own program, which is removed when the test ends. */
export function folderWith(name: OwnProgram): string {
  const folder = temporaryFolder();
  const file = join(folder, name);
  const program = join(import.meta.dirname, `${name}-program.ts`);
  const flags = "--disable-warning=ExperimentalWarning";
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' ${flags} '${program}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
