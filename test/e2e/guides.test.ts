// Runs the examples of guides that need processes of their own: docs/guides/monitoring.md,
// alerts.md and troubleshooting.md, and the scripts of alerts.md and backup.md. `--update=all`
// writes the outputs.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { readManual } from "../cli/manual/document.ts";
import { openPrograms } from "../cli/manual/fast-shell.ts";
import { replay } from "../cli/manual/replay.ts";
import type { Shell } from "../cli/manual/shell.ts";
import { pathWith } from "../helpers/programs/own-program.ts";
import { openReaderShell } from "./follow-page.ts";

const guides = join(import.meta.dirname, "../../docs/guides");
const readGuide = (name: string) => readFileSync(join(guides, name), "utf8");

const preparation = [
  "platform serve 2>server.log &",
  "platform ready",
  "echo 'twelve green kettles sing' >password.txt",
  "platformctl users create --username ana --role owner --password-stdin --db data/platform.db <password.txt",
  "platformctl login --server http://127.0.0.1:$PLATFORM_PORT --username ana --password-stdin <password.txt",
  "export PLATFORM_REGISTRATION_TOKEN=$(platformctl tokens create --name edge-7 | sed -n 's/^token *//p')",
  "platform agent init --server http://127.0.0.1:$PLATFORM_PORT --code edge-7 >agent.yaml",
  "platform agent run 2>agent.log & agent=$!",
  "platformctl services wait edge-7-host",
];

test("every example prints what the guide shows", async () => {
  // The server listens in a process of its own, and the example of a proxy needs its environment.
  const programs = await openPrograms("serve", "health*https://agents.example.com");
  const PATH = [programs, pathWith("curl", "jq")].join(delimiter);
  const { shell, folder, places } = await openReaderShell({ PATH });
  for (const name of ["alerts.md", "backup.md"]) saveScripts(readGuide(name), folder);
  for (const words of preparation) await succeed(shell, words);
  for (const name of ["monitoring.md", "alerts.md", "troubleshooting.md"]) {
    const text = await replay(readManual(readGuide(name)), shell, places);
    await expect(text).toMatchFileSnapshot(join(guides, name));
  }
  await keepNewestBackups(shell);
});

test("alerts.md says what to do for each rule", () => {
  const rules = readFileSync(join(guides, "../examples/prometheus-alerts.yaml"), "utf8");
  const names = (text: string, name: RegExp) => [...text.matchAll(name)].map((found) => found[1]);
  const explained = names(readGuide("alerts.md"), /^\| `([A-Z]\w+)` \|/gm);
  expect(explained.sort()).toEqual(names(rules, /- alert: (\w+)/g).sort());
});

/** Checks that the script of backup.md keeps 14 of 16 backups, and their digests. */
async function keepNewestBackups(shell: Shell): Promise<void> {
  await succeed(shell, "mkdir backups");
  for (let day = 10; day < 25; day++) {
    const file = `backups/nightly-202601${day}-021500.db`;
    await succeed(shell, `touch ${file} ${file}.sha256`);
  }
  await succeed(shell, "sh platform-nightly data backups");
  const { lines } = await succeed(shell, "ls backups");
  expect(lines.filter((name) => name.endsWith(".db"))).toHaveLength(14);
  expect(lines.filter((name) => name.endsWith(".sha256"))).toHaveLength(14);
  expect(lines[0]).toBe("nightly-20260112-021500.db");
  const { lines: checked } = await succeed(
    shell,
    `cd backups && sha256sum --check ${lines.at(-1)}`,
  );
  expect(checked).toEqual([expect.stringMatching(/\.db: OK$/)]);
}

async function succeed(shell: Shell, words: string) {
  const ran = await shell.run(words);
  expect(ran.status, `${words}\n${ran.lines.join("\n")}`).toBe(0);
  return ran;
}

/** Saves each script under the name in its second line, as the reader does. */
function saveScripts(text: string, folder: string): void {
  for (const script of readManual(text).scripts) {
    const path = /^#!.*\n# (\S+):/.exec(script.text)?.[1];
    if (path !== undefined) writeFileSync(join(folder, basename(path)), `${script.text}\n`);
  }
}
