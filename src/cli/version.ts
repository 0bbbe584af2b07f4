// The version of these sources, from package.json, and of the program.

import { readProjectFile } from "../lib/files/project-files.ts";

let version: string | null = null;

/** Returns the version of this program: built in, or from the sources. */
export function programVersion(bakedIn: string | undefined): string {
  return bakedIn ?? `${sourceVersion()}-dev`;
}

export function sourceVersion(): string {
  version ??= JSON.parse(readProjectFile("package.json")).version as string;
  return version;
}
