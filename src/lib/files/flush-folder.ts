// Flushes folders, because a new file's name is on disk only after that. The functions do nothing
// where flushing is not needed (on Windows) or not possible (on some file systems, and in a folder
// that this process can use but not read).

import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch (error) {
    throwUnlessImpossible(error);
  }
}

export function flushFolderSync(folder: string): void {
  if (process.platform === "win32") return;
  try {
    flushSync(folder, "r");
  } catch (error) {
    throwUnlessImpossible(error);
  }
}

function throwUnlessImpossible(error: unknown): void {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!/^(EACCES|EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(code)) throw error;
}

export function flushFileSync(file: string): void {
  flushSync(file, "r+");
}

function flushSync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
