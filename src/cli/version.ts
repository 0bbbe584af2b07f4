// The version of this program, and the version in package.json.

import { readProjectFile } from "../lib/files/project-files.ts";

export function programVersion(bakedIn: string | undefined): string {
  return bakedIn ?? `${sourceVersion()}-dev`;
}

export function sourceVersion(): string {
  return JSON.parse(readProjectFile("package.json")).version;
}
