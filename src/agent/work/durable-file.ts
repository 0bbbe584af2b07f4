// Writes files of mode 0600 that hold the whole old or new text after a crash.

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { flushFolder } from "../../lib/files/flush-folder.ts";

const ownerOnly = 0o600;

/** Replaces the file atomically, mode 0600. Resolves when the new text is on disk. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`;
  await writeDurably(fresh, text);
  await rename(fresh, file);
  await flushFolder(dirname(file));
}

/**
 * Rejects if the file could not be replaced by one of this size, for lack of space or permission.
 */
export async function checkRoomFor(file: string, bytes: number): Promise<void> {
  const fresh = `${file}.new`;
  await writeDurably(fresh, " ".repeat(bytes));
  await rm(fresh);
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "w", ownerOnly);
  try {
    await handle.chmod(ownerOnly);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens the file to append to it, mode 0600. */
export function openForAppending(file: string): Promise<FileHandle> {
  return open(file, "a", ownerOnly);
}
