// The parts of the service that depend on the engine. Several nodes can share a PostgreSQL
// database, so it stores the one-time secrets. With SQLite, they are only in memory.

import type { KeyObject } from "node:crypto";
import type { Core } from "../core/context.ts";
import type { OneTimeSecrets } from "../core/secrets/one-time-secrets.ts";
import { SealedSecrets } from "../core/secrets/sealed-secrets.ts";
import { SecretsInMemory } from "../core/secrets/secrets-in-memory.ts";
import { BackupMaker, type Backups, ForeignBackups } from "../core/system/backup-maker.ts";
import type { CopyDatabase } from "../domain/storage/backups.ts";
import type { Place } from "../domain/storage/place.ts";
import { backupNotSupported } from "../domain/storage/postgres-tools.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";

type Needs = Pick<Core, "monotonic" | "fillRandom" | "newId"> & { sessionSecret: () => KeyObject };

export function oneTimeSecretsFor(db: Database, needs: Needs): OneTimeSecrets {
  return db.engine === "postgresql"
    ? new SealedSecrets({ db, ...needs })
    : new SecretsInMemory(needs.monotonic);
}

interface Copying {
  copyDatabase: CopyDatabase;
  log: Log;
}

/** A PostgreSQL database is backed up with PostgreSQL's own program. */
export function backupsOf(place: Place, { copyDatabase, log }: Copying): Backups {
  if (place.kind === "postgresql") return new ForeignBackups(() => backupNotSupported(place));
  const { file: from, folder, auditKeyFile } = place;
  return new BackupMaker({
    folder,
    log,
    copy: (to, signal) => copyDatabase({ from, to, auditKeyFile }, signal),
  });
}
