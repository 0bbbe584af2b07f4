// Opens the databases of a move. PostgreSQL's part is loaded only if it is needed.

import type { MoveReport } from "../../domain/storage/moves.ts";
import type { Place } from "../../domain/storage/place.ts";
import type { FillRandom } from "../../lib/random.ts";
import type { MovedKeys, MoveSource, MoveTarget } from "./sides.ts";
import { SqliteSource } from "./sqlite-source.ts";
import { findSqliteMove, SqliteTarget } from "./sqlite-target.ts";

/**
 * Like the other functions here, throws MoveRefused or AppError UNAVAILABLE, also after an abort.
 */
export async function openSource(place: Place, signal: AbortSignal): Promise<MoveSource> {
  if (place.kind === "file") return SqliteSource.open(place);
  const { PostgresSource } = await import("./postgres-source.ts");
  return PostgresSource.open(place, signal);
}

/** `now` is in Unix milliseconds. A PostgreSQL database has its own clock. */
export async function openTarget(
  place: Place,
  keys: MovedKeys,
  { now, fillRandom, signal }: { now: number; fillRandom: FillRandom; signal: AbortSignal },
): Promise<MoveTarget> {
  if (place.kind === "file") return SqliteTarget.open({ place, keys, now, fillRandom });
  const { PostgresTarget } = await import("./postgres-target.ts");
  return PostgresTarget.open(place, signal);
}

export async function findMoveInto(place: Place, signal: AbortSignal): Promise<MoveReport | null> {
  if (place.kind === "file") return findSqliteMove(place);
  const { findPostgresMove } = await import("./postgres-target.ts");
  return findPostgresMove(place, signal);
}
