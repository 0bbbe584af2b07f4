// The console is always built again, so that it matches the program.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Listing } from "../../src/http/console/files.ts";
import { consoleFolder, consoleListing } from "../../src/lib/files/project-files.ts";
import { buildConsole } from "../build/console.ts";

export interface PackagedConsole {
  /**
   * The keys are paths in the project. Only the smallest form of each file is included; a server
   * makes the other forms from it.
   */
  contents: Map<string, Buffer>;
  /** The absolute paths of the bundled files. */
  files: string[];
}

export async function packageConsole(): Promise<PackagedConsole> {
  const folder = mkdtempSync(join(tmpdir(), "platform-console-"));
  try {
    const files = await buildConsole(folder, "best");
    const read = (path: string) => readFileSync(join(folder, path));
    const listing: Listing = JSON.parse(read(consoleListing).toString());
    const paths = Object.entries(listing).map(
      ([path, { codings }]) => `${consoleFolder}${path}${codings.includes("br") ? ".br" : ""}`,
    );
    const contents = [consoleListing, ...paths].map((path) => [path, read(path)] as const);
    return { contents: new Map(contents), files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
