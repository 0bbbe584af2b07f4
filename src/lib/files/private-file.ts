// Files that only their owner can read (mode 0600), replaced atomically: after a crash or a power cut there is
// either the old text or the new one.

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { flushFolder } from "./flush-folder.ts";

const ownerOnly = 0o600;

/** On disk when it resolves. `draft` is where the text is written first, in the same folder. */
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

/** Rejects when the file could not be replaced by one of so many bytes: no room, no permission. */
export async function checkRoomFor(file: string, bytes: number): Promise<void> {
  const draft = `${file}.new`;
  await writeDraft(draft, " ".repeat(bytes)).finally(() => rm(draft, { force: true }));
}

/** Removes what a crash left, and never writes through a link that somebody else made. */
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

/** Opens the file for writing at its end. */
export function openForAppending(file: string): Promise<FileHandle> {
  return open(file, "a", ownerOnly);
}
