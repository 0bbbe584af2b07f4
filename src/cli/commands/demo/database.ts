// Where the demo's servers keep their data: in a file in the demo's folder, or in a PostgreSQL
// database that the caller provides and that must be empty.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BadPostgresUrl, isPostgresUrl, parsePostgresUrl } from "../../../lib/postgres-url.ts";
import { usageError } from "../../exit.ts";

export interface DemoDatabase {
  kind: "file" | "postgresql";
  /** For messages: the path of the file, or the URL without the password. */
  name: string;
  /** The environment variables of servers that use the database. */
  ofServers: Record<string, string>;
  /** The environment variables of `platformctl` for work on the database without a server. */
  ofCommands: Record<string, string>;
}

export function fileIn(dataFolder: string): DemoDatabase {
  const file = join(dataFolder, "platform.db");
  return { kind: "file", name: file, ofServers: {}, ofCommands: { PLATFORM_DB: file } };
}

/**
 * Creates the keys in the folder. Throws CliError if `url` is not the URL of a PostgreSQL database,
 * and AppError UNAVAILABLE if the database cannot be used or is not empty.
 */
export async function postgresDatabase(
  url: string | undefined,
  folder: string,
): Promise<DemoDatabase> {
  const name = nameOf(url ?? "");
  const { requireEmptyPostgres } = await import("../../../store/engine/postgresql/open.ts");
  await requireEmptyPostgres(url ?? "");
  const keys = {
    PLATFORM_AUDIT_KEY_FILE: writeKey(join(folder, "audit.key")),
    PLATFORM_SESSION_SECRET_FILE: writeKey(join(folder, "session.key")),
  };
  return {
    kind: "postgresql",
    name,
    ofServers: { PLATFORM_DATABASE_URL: url ?? "", ...keys },
    ofCommands: { PLATFORM_DB: url ?? "", ...keys },
  };
}

function nameOf(url: string): string {
  if (!isPostgresUrl(url)) {
    throw usageError(
      "--postgresql needs the URL of an empty PostgreSQL database in PLATFORM_DATABASE_URL. In a " +
        "checkout, `npm run demo -- --postgresql` starts a PostgreSQL server for the demo.",
    );
  }
  try {
    return parsePostgresUrl(url).name;
  } catch (error) {
    if (error instanceof BadPostgresUrl) {
      throw usageError(`PLATFORM_DATABASE_URL ${error.message}`);
    }
    throw error;
  }
}

function writeKey(file: string): string {
  writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  return file;
}
