// Writes files that only their owner can read, unless a mode is given. Replacing a file is
// atomic, even across a power cut.

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { flushFolder } from "./flush-folder.ts";

const ownerOnly = 0o600;

/**
 * Resolves when the content is on disk. `draft` must be in the same folder. `mode` does not depend
 * on the umask.
 */
export async function replaceFile(
  file: string,
  content: string | Readable,
  { draft = `${file}.new`, mode = ownerOnly }: { draft?: string; mode?: number } = {},
): Promise<void> {
  try {
    await writeDraft(draft, content, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await flushFolder(dirname(file));
}

/** Rejects if there is no room or no permission to replace the file with one of this size. */
export async function checkRoomFor(file: string, bytes: number): Promise<void> {
  const draft = `${file}.new`;
  await writeDraft(draft, " ".repeat(bytes), ownerOnly).finally(() => rm(draft, { force: true }));
}

/** Removes a draft that a crash left behind, and so never writes through another user's link. */
async function writeDraft(draft: string, content: string | Readable, mode: number): Promise<void> {
  await rm(draft, { force: true });
  const handle = await open(draft, "wx", ownerOnly);
  try {
    await handle.writeFile(content);
    // Uses the handle, because others could replace the file with a link to another one.
    if (mode !== ownerOnly) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function openForAppending(file: string): Promise<FileHandle> {
  return open(file, "a", ownerOnly);
}
