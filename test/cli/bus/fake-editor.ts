// A script that acts as the editor: it copies the file that it opens, and runs the next step.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";

export interface FakeEditor {
  /** The value for EDITOR. */
  command: string;
  /** Returns the file as it was when the editor was opened for the nth time. */
  opened(time: number): string;
  /** Returns that file's permissions. */
  modeOf(time: number): number;
  times(): number;
  /** A folder in which steps can leave files. */
  folder: string;
}

/** Creates an editor. Steps are shell code, with the file as `$1` and the folder as `$D`. */
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

/** Returns a step that replaces text in the file. */
export const replace = (from: string, to: string) =>
  `sed 's|${from}|${to}|' "$1" > "$D/new" && cat "$D/new" > "$1"\n`;

/** Gives platformctl its own temporary folder. The returned function lists the texts kept in it. */
export function watchKeptTexts(): () => string[] {
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () =>
    readdirSync(temporary)
      .filter((name) => name.startsWith("platformctl-"))
      .map((name) => join(temporary, name, "route.yaml"));
}
