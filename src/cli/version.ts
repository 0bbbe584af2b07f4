// The version of these sources, from package.json, and of the program.

import { readFileSync } from "node:fs";
import { projectFile } from "../lib/project-files.ts";

let version: string | null = null;

/** This program's own: what was baked in when it was built, else that of the sources. */
export function programVersion(bakedIn: string | undefined): string {
  return bakedIn ?? `${sourceVersion()}-dev`;
}

export function sourceVersion(): string {
  version ??= JSON.parse(readFileSync(projectFile("package.json"), "utf8")).version as string;
  return version;
}
