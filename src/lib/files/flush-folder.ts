// Flushes folders, because a new file's name is on disk only after that. Windows does not need it.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function flushFolderSync(folder: string): void {
  if (process.platform !== "win32") flushSync(folder, "r");
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
