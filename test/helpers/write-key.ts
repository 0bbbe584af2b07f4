import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a new key for the audit trail or the sessions. Returns its path. */
export function writeKey(folder: string, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  return file;
}
