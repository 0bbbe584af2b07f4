// A migrated, empty database, made once for the whole run; each test app begins with a copy of it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/store/open.ts";
import { startOfTime } from "./start-of-time.ts";

declare module "vitest" {
  interface ProvidedContext {
    templateDatabase: string;
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
  return () => rmSync(folder, { recursive: true, force: true });
}
