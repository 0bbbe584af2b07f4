// Made once for the whole run: a migrated, empty database, of which each test app begins with a copy,
// and the programs, bundled and laid out like an installed package.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { layOut } from "../../scripts/build/lay-out.ts";
import { openDatabase } from "../../src/store/open.ts";
import { startOfTime } from "./start-of-time.ts";

declare module "vitest" {
  interface ProvidedContext {
    templateDatabase: string;
    /** A folder with `bin/`. */
    installedProgram: string;
  }
}

/** Answers how to clear up. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "platform-template-"));
  const file = join(folder, "platform.db");
  const now = () => startOfTime;
  const { database } = openDatabase({ file, busyTimeoutMs: 5000, schema: "apply", now });
  await database.close();
  project.provide("templateDatabase", file);
  const installed = join(folder, "installed");
  await layOut(installed);
  project.provide("installedProgram", installed);
  return () => rmSync(folder, { recursive: true, force: true });
}
