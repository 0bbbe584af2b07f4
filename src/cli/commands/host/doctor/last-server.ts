// What a database knows about its servers, whether or not one responds.

import { nodeSilentMs } from "../../../../domain/nodes.ts";
import type { FilePlace, Place, PostgresPlace } from "../../../../domain/storage/place.ts";

interface LastServer {
  /** Null if this user cannot find out. */
  isRunning: boolean | null;
  /** A server that ended without a shutdown, if none is running. On SQLite, it is the last one. */
  ended: { who: string /** To within a minute. */; lastSeenAt: number | null } | null;
}

export async function lastServerOf(place: Place): Promise<LastServer> {
  return place.kind === "file" ? lastOnFile(place) : lastOfNodes(place);
}

/**
 * Holds the lock for a moment. A server that starts during that moment waits for the lock, and so
 * cannot have written the note that is read.
 */
async function lastOnFile(place: FilePlace): Promise<LastServer> {
  const { file } = place;
  const { claimDatabase, isLockable, notedServer } = await import(
    "../../../../store/engine/sqlite/database-lock.ts"
  );
  let lock: ReturnType<typeof claimDatabase>;
  try {
    if (!isLockable(file)) return { isRunning: false, ended: null };
    lock = claimDatabase(file);
  } catch {
    return { isRunning: null, ended: null };
  }
  if (!lock) return { isRunning: true, ended: null };
  const who = notedServer(file);
  lock.release();
  if (who === null) return { isRunning: false, ended: null };
  const lastSeenAt = await lastRunOn(place).catch(() => null);
  return { isRunning: false, ended: { who, lastSeenAt } };
}

/** Throws for an unreadable database. */
async function lastRunOn(place: FilePlace): Promise<number | null> {
  const { openReaderOf } = await import("../../../../store/engine/sqlite/open-reader.ts");
  const { findRetentionClock } = await import("../../../../store/tables/clock.ts");
  const opened = await openReaderOf(place);
  try {
    return (await findRetentionClock(opened.read))?.movedAt ?? null;
  } finally {
    await opened.close();
  }
}

/** A node that shuts down removes itself. Other checks report an unreadable database. */
async function lastOfNodes(place: PostgresPlace): Promise<LastServer> {
  const { readLastNode } = await import("../../../../store/engine/postgresql/examine.ts");
  const last = await readLastNode(place).catch(() => null);
  if (!last) return { isRunning: false, ended: null };
  const { id, host, seenAt, silentMs } = last;
  if (silentMs <= nodeSilentMs) return { isRunning: true, ended: null };
  return { isRunning: false, ended: { who: `node ${id} on ${host}`, lastSeenAt: seenAt } };
}
