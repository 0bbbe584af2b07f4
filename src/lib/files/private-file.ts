// Files that only their owner can read (mode 0600), replaced atomically: after a crash or a power cut they
// contain either the old text or the new one.

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { flushFolder } from "./flush-folder.ts";

const ownerOnly = 0o600;

/**
 * Replaces the file. When this resolves, the text is on disk. The text is first written to `draft`,
 * in the same folder.
 */
export async function replaceFile(
  file: string,
  text: string,
  draft = `${file}.new`,
): Promise<void> {
  try {
    await writeDraft(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await flushFolder(dirname(file));
}

/**
 * Rejects if the file could not be replaced by a file of this size, because there is no room or no
 * permission.
 */
export async function checkRoomFor(file: string, bytes: number): Promise<void> {
  const draft = `${file}.new`;
  await writeDraft(draft, " ".repeat(bytes)).finally(() => rm(draft, { force: true }));
}

/**
 * Writes the draft. Removes a draft that was left by a crash, and never writes through another
 * user's link.
 */
async function writeDraft(draft: string, text: string): Promise<void> {
  await rm(draft, { force: true });
  const handle = await open(draft, "wx", ownerOnly);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function openForAppending(file: string): Promise<FileHandle> {
  return open(file, "a", ownerOnly);
}
