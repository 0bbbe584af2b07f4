// The list of what was laid, kept with it: an update and an uninstallation tell by it what is ours and as we
// laid it, and what is not.

import { CliError, exit } from "../exit.ts";
import type { Disk, Identity } from "./disk.ts";

export interface Manifest {
  /** Of the program that was installed last. */
  version: string;
  /** Each path with what was laid there; while an installation is under way, before and after it. */
  files: Record<string, Identity[]>;
  /** Folders that were not there before, each after the one that it is in. */
  folders: string[];
}

export function manifestPath(prefix: string): string {
  return `${prefix}/lib/platform/installed.json`;
}

/** Null when there is none. Throws a CliError when it cannot be understood. */
export async function readManifest(disk: Disk, prefix: string): Promise<Manifest | null> {
  const path = manifestPath(prefix);
  const text = await disk.read(path);
  if (text === null) return null;
  try {
    const found = JSON.parse(text);
    if (isManifest(found)) return found;
  } catch {
    // Told below.
  }
  throw new CliError(
    exit.failed,
    `${disk.at(path)}, the list of what was installed, cannot be understood. Move it away and install ` +
      "again with --force: what is there is written over then.",
    { code: "MANIFEST_INVALID" },
  );
}

/** All that was changed before is on the disk by then. */
export async function writeManifest(disk: Disk, prefix: string, manifest: Manifest): Promise<void> {
  await disk.write(manifestPath(prefix), textOf(manifest), 0o644);
  await disk.settle();
}

export function isSameManifest(a: Manifest | null, b: Manifest): boolean {
  return a !== null && textOf(a) === textOf(b);
}

function textOf(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function isManifest(found: unknown): found is Manifest {
  const { version, files, folders } = Object(found) as Partial<Manifest>;
  return (
    typeof version === "string" &&
    areTexts(folders) &&
    typeof files === "object" &&
    files !== null &&
    Object.values(files).every(areTexts)
  );
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
