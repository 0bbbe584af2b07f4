// Follows a page as its reader does: runs its blocks as they are, in order, in one shell.

import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readPage } from "../cli/manual/document.ts";
import { type Place, replay } from "../cli/manual/replay.ts";
import { openShell, type Shell } from "../cli/manual/shell.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { claimPort } from "../helpers/http/listen.ts";
import { bin } from "../helpers/process/installed.ts";
import { frequentNews } from "../helpers/process/process.ts";

/**
 * Fails if a block fails, or does not print what the page shows below it. The page starts its own
 * server on the default port. `--update=all` writes the outputs into the page.
 */
export async function followPage(file: string, programs = bin): Promise<void> {
  const { shell, places } = await openReaderShell({}, programs);
  await shell.run("set -eu -o pipefail");
  const text = readFileSync(file, "utf8");
  await expect(await replay(readPage(text), shell, places)).toMatchFileSnapshot(file);
}

/**
 * Opens a shell in an empty folder. A server that it starts on the default port gets a free port.
 */
export async function openReaderShell(
  env: Record<string, string> = {},
  programs = bin,
): Promise<{
  shell: Shell;
  folder: string;
  places: Place[];
}> {
  const folder = temporaryFolder();
  // The reader starts the same programs from source, which would take three times as long.
  symlinkSync(programs, join(folder, "bin"));
  const port = String(await claimPort());
  const shell = openShell(folder, {
    ...{ PLATFORM_PORT: port, XDG_CONFIG_HOME: join(folder, "config") },
    ...frequentNews,
    ...env,
  });
  // Programs in the background end with the shell, even if a block fails.
  await shell.run("trap 'jobs -p | xargs -r kill' EXIT");
  const places = [
    { shown: "127.0.0.1:8080", real: `127.0.0.1:${port}` },
    { shown: "/srv/platform", real: folder },
  ];
  return { shell, folder, places };
}
