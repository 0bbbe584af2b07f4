// The two databases of a move, and the keys that both use.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../../domain/storage/place.ts";
import { placeIn } from "../../connecting/database-place.ts";
import { type DatabaseDestination, databaseDestination } from "../../connecting/destination.ts";
import { usageError } from "../../exit.ts";
import type { Io } from "../../terminal/io.ts";

export interface MovedPlaces {
  from: Place;
  to: Place;
  /** Null if the session secret is a setting, or if there is no key yet. */
  sessionKeyFile: string | null;
}

/** Throws a usage error or ConfigError. */
export function movedPlaces({ env }: Pick<Io, "env">, from: string, to: string): MovedPlaces {
  const [source, target] = [databaseDestination(from, "--from"), databaseDestination(to, "--to")];
  if (source.name === target.name) throw usageError("--from and --to name the same database.");
  const place = placeIn(env, source);
  const sessionKeyFile = sessionKeyOf(place, env);
  if (target.kind === "file") return { from: place, to: withOwnKeys(env, target), sessionKeyFile };
  // The target uses the keys of the source, wherever they are.
  const keys = {
    AUDIT_KEY_FILE: place.auditKeyFile,
    ...(sessionKeyFile === null ? {} : { SESSION_SECRET_FILE: sessionKeyFile }),
  };
  return { from: place, to: placeIn({ ...env, ...keys }, target), sessionKeyFile };
}

/**
 * Returns the path of the source's session key if the settings name a different key. Everyone must
 * then sign in again. Call this as the user who owns the source.
 */
export function forgottenSessionKey({ from, sessionKeyFile }: MovedPlaces): string | null {
  if (from.kind !== "file" || sessionKeyFile === null) return null;
  const beside = join(from.folder, "session.key");
  if (!existsSync(beside)) return null;
  const [own, given] = [beside, sessionKeyFile].map((file) => readFileSync(file, "utf8").trim());
  return own === given ? null : beside;
}

function sessionKeyOf({ sessionKeyFile }: Place, env: Record<string, string>): string | null {
  if (env.SESSION_SECRET !== undefined || sessionKeyFile === null) return null;
  return existsSync(sessionKeyFile) ? sessionKeyFile : null;
}

/** A database file's keys are next to it, whatever key files the settings name for the source. */
function withOwnKeys(env: Record<string, string>, database: DatabaseDestination): Place {
  const place = placeIn(env, database);
  if (place.kind !== "file") return place;
  const { folder } = place;
  return {
    ...place,
    auditKeyFile: join(folder, "audit.key"),
    sessionKeyFile: join(folder, "session.key"),
  };
}
