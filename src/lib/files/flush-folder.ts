// A name that a file was given is on the disk when its folder is.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

/** Windows has no such call, and does not need it. Throws what the system says. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same, without waiting for another turn of the event loop. */
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
