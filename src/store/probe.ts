// The trivial statement that tells whether the database answers. (`service.md` "Database probe")

import type { Reader } from "./database.ts";

export async function probeDatabase(db: Reader): Promise<void> {
  await db.get("SELECT 1");
}
