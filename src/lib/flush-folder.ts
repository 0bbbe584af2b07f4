// A name that a file was given is on the disk when its folder is.

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
