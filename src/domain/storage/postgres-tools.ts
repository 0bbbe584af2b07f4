// Commands of PostgreSQL's own programs, which make and restore backups. The commands contain no
// password: the programs ask for it, or read PGPASSWORD or ~/.pgpass.

import { parsePostgresUrl } from "../../lib/postgres-url.ts";
import { AppError } from "../errors.ts";

interface Database {
  /** Can contain a password. */
  url: string;
}

export function backupNotSupported(database: Database): AppError {
  return new AppError(
    "NOT_SUPPORTED",
    "PostgreSQL's own program makes the backups of this database, even while servers use it: " +
      `${dumpProgram} --dbname=${argument(database)}`,
  );
}

export function restoreNotSupported(database: Database): AppError {
  return new AppError(
    "NOT_SUPPORTED",
    "PostgreSQL's own program restores a backup of this database. Stop all of its servers, then run: " +
      `pg_restore --clean --if-exists --single-transaction --no-owner --dbname=${argument(database)} ` +
      "platform.dump. Then remove the .audit-head file from each server's data folder.",
  );
}

/** The option for the database is not included. */
export const dumpProgram = "pg_dump --format=custom --file=platform.dump";

/** Returns the database's URL without its password, quoted for a shell. */
function argument({ url }: Database): string {
  return `'${parsePostgresUrl(url).withoutPassword.replaceAll("'", "%27")}'`;
}
