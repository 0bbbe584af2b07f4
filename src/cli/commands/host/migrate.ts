import type { Config } from "../../../config/config.ts";
import type { MigrationView, SchemaStatus } from "../../../domain/storage/migrations.ts";
import type { FilePlace, Place, PostgresPlace } from "../../../domain/storage/place.ts";
import type { Invocation } from "../../command.ts";
import { databasePlace, localConfig } from "../../connecting/database-place.ts";
import { withApp } from "../../connecting/local-app.ts";
import { CliError, exit } from "../../exit.ts";
import { inUse } from "../../files/in-use.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { schemaFinding } from "./doctor/check.ts";

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
  refuseRoot(place);
  const status = await statusOf(place);
  const { migrations } = status;
  const problem = problemOf(status, place);
  if (options.status) {
    print(migrations);
    if (problem !== null) io.note(`\n${problem}\n`);
    return problem === null ? exit.done : exit.failed;
  }
  if (problem !== null) throw new CliError(exit.failed, problem, { code: "SCHEMA_REFUSED" });
  const pending = migrations.filter(({ state }) => state === "PENDING");
  if (pending.length === 0) {
    print([]);
    return exit.done;
  }
  const copy =
    place.kind === "file" ? await applyToFile(io, place) : await applyToServer(io, place);
  const names = pending.map(({ name }) => name);
  const after = await statusOf(place);
  print(after.migrations.filter(({ name }) => names.includes(name)));
  if (isForPeople(options) && copy !== null) {
    io.note(`\nThe database before the migration is kept in ${copy}\n`);
  }
  return exit.done;
}

async function statusOf(place: Place): Promise<SchemaStatus> {
  if (place.kind === "postgresql") {
    const schema = await import("../../../store/engine/postgresql/schema-status.ts");
    return schema.postgresSchemaStatus(place.url);
  }
  const { schemaStatus } = await import("../../../store/engine/sqlite/schema-status.ts");
  return schemaStatus(place.file);
}

/** Returns why this program must not change the database; null if it may. */
function problemOf(status: SchemaStatus, { name: database }: Place): string | null {
  const { state, found, advice } = schemaFinding(status);
  return state === "FAILURE" ? `${database}: ${found}. ${advice}` : null;
}

/** Returns the path of the copy of the old database. */
async function applyToFile(io: Io, place: FilePlace): Promise<string> {
  const { file, auditKeyFile, sessionKeyFile } = place;
  const { claimDatabase } = await import("../../../store/engine/sqlite/database-lock.ts");
  const { loadKey, loadOrCreateKey } = await import("../../../store/files/key-files.ts");
  const { copyBefore } = await import("../../../store/engine/sqlite/migrate.ts");
  const { realWorld } = await import("../../../app.ts");
  const config = localConfig(io.env, place);
  // The audit trail records the migration, which requires the key.
  loadKey(auditKeyFile);
  const lock = claimDatabase(file);
  if (!lock) throw inUse(file);
  using _ = startProgress(io, "copying the database, then migrating");
  try {
    // The app needs this key to write the audit row. Loading it here means that a failure comes
    // before the migration.
    if (!config.sessionSecret) loadOrCreateKey(sessionKeyFile, realWorld.fillRandom);
    const [first] = await applyAndRecord(io, config, place, { role: "claimed" });
    return first ? copyBefore(file, first) : file;
  } finally {
    lock.release();
  }
}

/** Servers may use the database meanwhile. Returns null, because there is no copy. */
async function applyToServer(io: Io, place: PostgresPlace): Promise<null> {
  using _ = startProgress(io, "migrating");
  await applyAndRecord(io, localConfig(io.env, place), place);
  return null;
}

/** Returns the migrations, which are also written to the audit trail. */
async function applyAndRecord(
  io: Io,
  config: Config,
  place: Place,
  role: { role?: "claimed" } = {},
) {
  const options = { schema: "apply", busyTimeoutMs: 0, ...role } as const;
  return withApp(io, config, place, options, async ({ app, opened }) => {
    await app.noteMigrated();
    return opened.migrated;
  });
}
