// Files that survive a power cut whole: either the old text or the new one, readable by their owner
// alone.

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { flushFolder } from "../../lib/files/flush-folder.ts";

const ownerOnly = 0o600;

/** Puts `text` in the place of the file, atomically and on disk when it resolves; mode 0600. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`;
  await writeDurably(fresh, text);
  await rename(fresh, file);
  await flushFolder(dirname(file));
}

/** Rejects when the file could not be replaced by one of so many bytes: no room, no permission. */
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

/** Opens the file for writing at its end; mode 0600. */
export function openForAppending(file: string): Promise<FileHandle> {
  return open(file, "a", ownerOnly);
}
