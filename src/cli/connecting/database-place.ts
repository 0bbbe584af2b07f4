// Finds this host's database. Ignores the listener's settings, which may be invalid.

import { dirname, join, resolve } from "node:path";
import { loadConfig } from "../../config/config.ts";
import type { OptionSpec } from "../command.ts";
import { usageError } from "../exit.ts";
import { fileOption } from "../options.ts";
import { givenFlags, namingFlags, serverFlags } from "../server-flags.ts";
import type { Io } from "../terminal/io.ts";
import { sourceVersion } from "../version.ts";

export type DatabasePlace = Awaited<ReturnType<typeof databasePlace>>;

export const dataDirFlag = serverFlags.filter(({ variable }) => variable === "DATA_DIR");

export const databaseFlag = fileOption("--db <file>", "the database file, at any path");

/** For commands that work only on the database file. */
export const placeFlags: OptionSpec[] = [...dataDirFlag, databaseFlag];

/** Returns the place in `--db`, otherwise the place that `serve` uses. */
export async function databasePlace(io: Io, options: Record<string, unknown>) {
  const { db, dataDir } = options as { db?: string; dataDir?: string };
  if (db !== undefined && dataDir !== undefined) {
    throw usageError("give --data-dir or --db, not both.");
  }
  const file = db === undefined ? await servedFile(io, options) : resolve(db);
  const folder = dirname(file);
  return {
    file,
    folder,
    auditKeyFile: join(folder, "audit.key"),
    sessionKeyFile: join(folder, "session.key"),
  };
}

function servedFile(io: Io, options: Record<string, unknown>): Promise<string> {
  const flags = givenFlags(options);
  const given = Object.entries({ ...io.env, ...flags.values });
  const ofPlace = given.filter(([name]) => name === "DATA_DIR" || name === "DATABASE_URL");
  const load = () => loadConfig(Object.fromEntries(ofPlace), sourceVersion());
  return namingFlags(flags, () => load().databaseFile);
}
