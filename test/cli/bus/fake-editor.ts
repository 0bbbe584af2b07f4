// An editor that is a script: what it was given is kept, and it does one step after the other.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../helpers/app.ts";

export interface FakeEditor {
  /** As EDITOR has it. */
  command: string;
  /** Of each time it was opened, what was in the file. */
  opened(time: number): string;
  /** Its permissions. */
  modeOf(time: number): number;
  times(): number;
  /** Where a step may leave something. */
  folder: string;
}

/** Each time it is opened, the next of the steps, in sh, with the file as `$1` and the folder as `$D`. */
export function fakeEditor(...steps: string[]): FakeEditor {
  const folder = temporaryFolder();
  for (const [at, step] of steps.entries()) writeFileSync(join(folder, `step.${at + 1}`), step);
  const script = `#!/bin/sh
D='${folder}'; export D
n=1; while [ -e "$D/opened.$n" ]; do n=$((n + 1)); done
cp -p "$1" "$D/opened.$n"
if [ -e "$D/step.$n" ]; then . "$D/step.$n"; else echo "opened once too often"; exit 9; fi
`;
  writeFileSync(join(folder, "editor"), script, { mode: 0o755 });
  const opened = (time: number) => join(folder, `opened.${time}`);
  return {
    command: `'${folder}/editor'`,
    opened: (time) => readFileSync(opened(time), "utf8"),
    modeOf: (time) => statSync(opened(time)).mode & 0o777,
    times: () => readdirSync(folder).filter((name) => name.startsWith("opened.")).length,
    folder,
  };
}

/** Text in place of other text in the file. */
export const replace = (from: string, to: string) =>
  `sed 's|${from}|${to}|' "$1" > "$D/new" && cat "$D/new" > "$1"\n`;
