// Reads sizes without opening files, because closing one would drop SQLite's locks.

import { statfsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { DatabaseStats } from "../../database.ts";
import type { SqliteConnection } from "./file.ts";
import { appliedMigrations } from "./migrate.ts";

export function statsOf(connection: SqliteConnection): DatabaseStats {
  const numberOf = (pragma: string) => connection.pragma(pragma, { simple: true }) as number;
  const file = connection.name;
  return {
    version: connection.prepare("SELECT sqlite_version()").pluck().get() as string,
    fileName: basename(file),
    sizeBytes: sizeOf(file),
    walBytes: sizeOf(`${file}-wal`),
    ...freeSpace(dirname(file)),
    pageCount: numberOf("page_count"),
    pageSizeBytes: numberOf("page_size"),
    freePages: numberOf("freelist_count"),
    migrations: appliedMigrations(connection).map(({ version, name, appliedAt }) => ({
      version,
      name,
      appliedAt,
    })),
  };
}

function freeSpace(folder: string): Pick<DatabaseStats, "diskFreeBytes"> {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return { diskFreeBytes: bavail * bsize };
  } catch {
    return {};
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
