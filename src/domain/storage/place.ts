// Where a database is, and the files that belong to it.

import { dirname, join } from "node:path";
import { parsePostgresUrl } from "../../lib/postgres-url.ts";

export interface FilePlace {
  kind: "file";
  /** For messages: the path of the file. */
  name: string;
  file: string;
  folder: string;
  auditKeyFile: string;
  /** Used unless the secret itself is set. */
  sessionKeyFile: string;
}

export interface PostgresPlace {
  kind: "postgresql";
  /** For messages: the URL without the password and the parameters. */
  name: string;
  /** It can contain a password, so it must not appear in messages, logs or the process list. */
  url: string;
  auditKeyFile: string;
  /** Null if the secret itself is set. */
  sessionKeyFile: string | null;
  /** The path of this server's copy of the signed head of the audit trail. */
  headCopyFile: string;
}

export type Place = FilePlace | PostgresPlace;

/** The part of the configuration that determines the place. */
interface PlaceSettings {
  database: { kind: "file"; file: string } | { kind: "postgresql"; url: string };
  dataDir: string;
  /** Null for the file beside an SQLite database. PostgreSQL has no such default. */
  auditKeyFile: string | null;
  /** Null for the file beside an SQLite database, or if the secret itself is set. */
  sessionSecretFile: string | null;
}

export function placeOf(settings: PlaceSettings): Place {
  const { database, dataDir, auditKeyFile, sessionSecretFile: sessionKeyFile } = settings;
  if (database.kind === "file") {
    const { file } = database;
    const folder = dirname(file);
    return {
      kind: "file",
      name: file,
      file,
      folder,
      auditKeyFile: auditKeyFile ?? join(folder, "audit.key"),
      sessionKeyFile: sessionKeyFile ?? join(folder, "session.key"),
    };
  }
  if (auditKeyFile === null) throw new Error("the configuration names no audit key");
  const { url } = database;
  const { name, database: called } = parsePostgresUrl(url);
  // The keys can be on a read-only file system, so the file is not beside them.
  const headCopyFile = join(dataDir, `${encodeURIComponent(called)}.audit-head`);
  return { kind: "postgresql", name, url, auditKeyFile, sessionKeyFile, headCopyFile };
}
