// Starts a server on a data folder that was used before, on a disk that the test can fill.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { temporaryFolder } from "../app.ts";
import { createKey } from "./operator.ts";
import { type Server, startServer } from "./process.ts";
import type { SmallDisk } from "./small-disk.ts";

export interface ServerWithKey {
  server: Server;
  /** An owner's API key. */
  key: string;
}

/** Without a disk, the data folder is a temporary one. */
export async function startOnDisk(disk?: SmallDisk): Promise<ServerWithKey> {
  const prepared = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), prepared, { recursive: true });
  const key = await createKey({ file: join(prepared, "platform.db") });
  if (!disk) return { key, server: await startServer({ dataDir: prepared }) };
  const dataDir = join(disk.folder, "data");
  cpSync(prepared, disk.outside(dataDir), { recursive: true });
  return { key, server: await startServer({ dataDir, enter: disk.enter }) };
}
