import { loadConfig } from "../../../config/config.ts";
import type { MigrationView } from "../../../domain/storage/migrations.ts";
import type { Invocation } from "../../command.ts";
import { settingsFor } from "../../connecting/connect-to-file.ts";
import { type DatabasePlace, databasePlace } from "../../connecting/database-place.ts";
import { CliError, exit } from "../../exit.ts";
import { copyInChild, walkInChild } from "../../files/child.ts";
import { actAsOwnerOf } from "../../files/data-owner.ts";
import { inUse } from "../../files/in-use.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { sourceVersion } from "../../version.ts";

const view: ListView<MigrationView> = {
  columns: [
    { name: "version", value: (migration) => migration.version },
    { name: "name", value: (migration) => migration.name, kind: "key" },
    { name: "state", value: (migration) => migration.state, kind: "state" },
    { name: "applied", value: (migration) => migration.appliedAt, kind: "time" },
    { name: "checksum", value: (migration) => migration.checksum.slice(0, 12), kind: "key" },
    { name: "sha256", value: (migration) => migration.checksum, kind: "key", wide: true },
  ],
  nameOf: (migration) => migration.name,
  whenEmpty: "The schema was already up to date.",
};

export async function migrateDatabase({ io, options }: Invocation): Promise<number> {
  const print = (rows: MigrationView[]) => printWhole({ io, options }, rows, view);
  const place = await databasePlace(io, options);
  await actAsOwnerOf(place.file);
  const { schemaStatus } = await import("../../../store/engine/schema-status.ts");
  const all = schemaStatus(place.file);
  const problem = problemOf(all, place);
  if (options.status) {
    print(all);
    if (problem !== null) io.note(`\n${problem}\n`);
    return problem === null ? exit.done : exit.failed;
  }
  if (problem !== null) throw new CliError(exit.failed, problem, { code: "SCHEMA_REFUSED" });
  const pending = all.filter(({ state }) => state === "PENDING");
  if (pending.length === 0) {
    print([]);
    return exit.done;
  }
  const copy = await apply(io, place);
  const names = pending.map(({ name }) => name);
  print(schemaStatus(place.file).filter(({ name }) => names.includes(name)));
  if (isForPeople(options)) {
    io.note(`\nThe database before the migration is kept in ${copy}\n`);
  }
  return exit.done;
}

/** Returns why this program must not change the database; null if it may. */
function problemOf(all: MigrationView[], { file }: DatabasePlace): string | null {
  const changed = all.find(({ state }) => state === "CHANGED");
  if (changed) {
    return `${file}: migration ${changed.name} was applied in a form that differs from this program's.`;
  }
  const unknown = all.find(({ state }) => state === "UNKNOWN");
  if (!unknown) return null;
  return (
    `${file} is newer than this program: it does not know ${unknown.name}. ` +
    "Use the program that wrote the database, or a newer one."
  );
}

/** Returns the path of the copy of the old database. */
async function apply(io: Io, place: DatabasePlace): Promise<string> {
  const { file, auditKeyFile, sessionKeyFile } = place;
  const { claimDatabase } = await import("../../../store/engine/database-lock.ts");
  const { requireAuditKey } = await import("../../../store/audit/key-check.ts");
  const { loadKey, loadOrCreateKey } = await import("../../../store/files/key-files.ts");
  const { openDatabase } = await import("../../../store/engine/open.ts");
  const { copyBefore } = await import("../../../store/engine/migrate.ts");
  const { createApp, realWorld } = await import("../../../app.ts");
  const config = loadConfig(settingsFor(file, io.env), sourceVersion());
  // The audit trail records the migration, which requires the key.
  loadKey(auditKeyFile);
  await requireAuditKey(file, auditKeyFile, 0);
  const lock = claimDatabase(file);
  if (!lock) throw inUse(file);
  using _ = startProgress(io, "copying the database, then migrating");
  try {
    // The app needs this key to write the audit row. Without it, this fails before the migration.
    if (!config.sessionSecret) loadOrCreateKey(sessionKeyFile, realWorld.fillRandom);
    const { now } = realWorld;
    const asClaimed = { schema: "apply", role: "claimed" } as const;
    const opened = openDatabase({ file, busyTimeoutMs: 0, now, ...asClaimed });
    const { database, migrated } = opened;
    try {
      const inChild = { copyDatabase: copyInChild, walkTrail: walkInChild };
      const app = createApp(config, opened, { ...realWorld, ...inChild });
      await app.noteMigrated(migrated.map(({ name }) => name));
      await app.close();
    } finally {
      await database.close();
    }
    const first = migrated[0];
    return first ? copyBefore(file, first) : file;
  } finally {
    lock.release();
  }
}
