// Finds this host's database and its settings. Ignores the listener's settings, which may be
// invalid.

import { type Config, type DatabaseSetting, databaseIn, loadConfig } from "../../config/config.ts";
import { listenerVariables } from "../../config/variables.ts";
import { type FilePlace, type Place, placeOf } from "../../domain/storage/place.ts";
import type { OptionSpec } from "../command.ts";
import { usageError } from "../exit.ts";
import { fileOption } from "../options.ts";
import { givenFlags, namingFlags, serverFlags } from "../server-flags.ts";
import type { Io } from "../terminal/io.ts";
import { sourceVersion } from "../version.ts";
import { databaseDestination } from "./destination.ts";

export const dataDirFlag = serverFlags.filter(({ variable }) => variable === "DATA_DIR");

export const databaseFlag = fileOption(
  "--db <database>",
  "the database: a file at any path, or a URL postgres://…",
);

/** For commands that always work on the database itself. */
export const placeFlags: OptionSpec[] = [...dataDirFlag, databaseFlag];

/** Returns the place in `--db`, otherwise the place that `serve` uses. */
export async function databasePlace(io: Io, options: Record<string, unknown>): Promise<Place> {
  const { env, flags, database } = givenPlace(io, options);
  return namingFlags(flags, () => placeIn(env, database));
}

/**
 * Like `databasePlace`, but for a command that works only on an SQLite file. For PostgreSQL, throws
 * the error that `refusal` returns.
 */
export async function filePlace(
  io: Io,
  options: Record<string, unknown>,
  refusal: (database: { url: string }) => Error,
): Promise<FilePlace> {
  const { env, flags, database } = givenPlace(io, options);
  return namingFlags(flags, () => {
    const named = database ?? databaseIn(env);
    // Checked first, because `placeIn` would require the keys of a PostgreSQL database.
    if (named.kind === "postgresql") throw refusal(named);
    return placeIn(env, named) as FilePlace;
  });
}

/** Ignores the settings that do not determine the place. Throws ConfigError. */
export function placeIn(env: Record<string, string>, database?: DatabaseSetting): Place {
  const given = Object.entries(env).filter(([name]) => ofPlace.includes(name));
  return placeOf(loadConfig(Object.fromEntries(given), sourceVersion(), database));
}

const ofPlace = [
  "DATA_DIR",
  "DATABASE_URL",
  "AUDIT_KEY_FILE",
  "SESSION_SECRET",
  "SESSION_SECRET_FILE",
];

/**
 * Returns the configuration for work on this database in this process. Enables the event bus unless
 * `env` disables it, so that its routes and events are available.
 */
export function localConfig(env: Record<string, string>, database: DatabaseSetting): Config {
  const ignored: readonly string[] = listenerVariables;
  const given = Object.entries(env).filter(([name]) => !ignored.includes(name));
  const settings = { CAPSULE_BUS_ENABLED: "true", ...Object.fromEntries(given) };
  return loadConfig(settings, sourceVersion(), database);
}

function givenPlace(io: Io, options: Record<string, unknown>) {
  const { db, dataDir } = options as { db?: string; dataDir?: string };
  if (db !== undefined && dataDir !== undefined) {
    throw usageError("give --data-dir or --db, not both.");
  }
  const flags = givenFlags(options);
  const database = db === undefined ? undefined : databaseDestination(db, "--db");
  return { env: { ...io.env, ...flags.values }, flags, database };
}
