// Flushes folders, because a new file's name is on disk only after that. Windows does not need it,
// and some file systems cannot do it. There, the functions do nothing.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    throwUnlessUnsupported(error);
  } finally {
    await handle.close();
  }
}

export function flushFolderSync(folder: string): void {
  if (process.platform === "win32") return;
  try {
    flushSync(folder, "r");
  } catch (error) {
    throwUnlessUnsupported(error);
  }
}

function throwUnlessUnsupported(error: unknown): void {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!/^(EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(code)) throw error;
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
