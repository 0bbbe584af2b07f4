// The list of installed files. It distinguishes our unchanged files from all others.

import { z } from "zod";
import { CliError, exit } from "../exit.ts";
import type { Disk } from "./disk.ts";

const schema = z.object({
  version: z.string(),
  /** The identities of our files, by path. During an installation, also those of the old files. */
  files: z.record(z.string(), z.array(z.string())),
  /** Folders that did not exist before, parents first. */
  folders: z.array(z.string()),
});

export type Manifest = z.infer<typeof schema>;
export type Files = Manifest["files"];

export function manifestPath(prefix: string): string {
  return `${prefix}/lib/platform/installed.json`;
}

export async function readManifest(disk: Disk, prefix: string): Promise<Manifest | null> {
  const path = manifestPath(prefix);
  const text = await disk.read(path);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    const message =
      `${disk.at(path)}, the list of installed files, is not valid. Move it away and install again with ` +
      "--force, which replaces the existing files.";
    throw new CliError(exit.failed, message, { code: "MANIFEST_INVALID" });
  }
}

export function writeManifest(disk: Disk, prefix: string, manifest: Manifest): Promise<void> {
  return disk.write(manifestPath(prefix), textOf(manifest), 0o644);
}

export function isSameManifest(a: Manifest | null, b: Manifest): boolean {
  return a !== null && textOf(a) === textOf(b);
}

function textOf(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
