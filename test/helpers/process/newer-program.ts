// Newer programs: copies of this one with more migrations.

import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../app.ts";
import { bin } from "./installed.ts";

const installed = dirname(bin);
const engines = ["sqlite", "postgresql"];

/** The number of this program's newest migration. */
export const ownVersion = Math.max(
  ...readdirSync(join(import.meta.dirname, "../../../migrations/postgresql")).map((name) =>
    Number.parseInt(name, 10),
  ),
);

/**
 * Returns a folder that contains `platform`. Its migrations are this program's, followed by those
 * with the given SQL, which both engines must understand.
 */
export function newerProgram(...migrations: string[]): string {
  const folder = join(temporaryFolder(), "newer");
  const unused = join(installed, "dist/console");
  cpSync(installed, folder, { recursive: true, filter: (path) => path !== unused });
  for (const [index, sql] of migrations.entries()) {
    const name = `${String(ownVersion + index + 1).padStart(4, "0")}-newer.sql`;
    for (const engine of engines) writeFileSync(join(folder, "migrations", engine, name), sql);
  }
  return join(folder, "bin");
}

/** Removes a program that no longer runs before the end of the test, to save space. */
export function removeProgram(program: string): void {
  rmSync(dirname(program), { recursive: true });
}
