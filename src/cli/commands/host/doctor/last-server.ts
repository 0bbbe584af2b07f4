// What a database knows about its servers, whether or not one responds.

import { nodeSilentMs } from "../../../../domain/nodes.ts";
import type { FilePlace, Place, PostgresPlace } from "../../../../domain/storage/place.ts";

export interface LastServer {
  isRunning: boolean;
  /** A server that ended without a shutdown, and is not running again. */
  ended: { who: string /** To within a minute. */; lastSeenAt: number | null } | null;
}

export async function lastServerOf(place: Place): Promise<LastServer> {
  return place.kind === "file" ? lastOnFile(place) : lastOfNodes(place);
}

/** Takes the lock for a moment. A server that starts during that moment waits for the lock. */
async function lastOnFile(place: FilePlace): Promise<LastServer> {
  const { file } = place;
  const { claimDatabase, isLockable, notedServer } = await import(
    "../../../../store/engine/sqlite/database-lock.ts"
  );
  if (!isLockable(file)) return { isRunning: false, ended: null };
  const lock = claimDatabase(file);
  lock?.release();
  const who = lock && notedServer(file);
  if (!who) return { isRunning: lock === null, ended: null };
  const lastSeenAt = (await tracesIn(place))?.lastRanAt ?? null;
  return { isRunning: false, ended: { who, lastSeenAt } };
}

/** A node that shuts down removes itself. */
async function lastOfNodes(place: PostgresPlace): Promise<LastServer> {
  const nodes = (await tracesIn(place))?.nodes ?? [];
  if (nodes.length === 0) return { isRunning: false, ended: null };
  const { readServer } = await import("../../../../store/engine/postgresql/examine.ts");
  const { now } = await readServer(place);
  const running = nodes.filter(({ seenAt }) => now - seenAt <= nodeSilentMs).map(({ url }) => url);
  const [lost] = nodes
    .filter(({ url }) => !running.includes(url))
    .sort((one, other) => other.seenAt - one.seenAt);
  const ended = lost ? { who: lost.url, lastSeenAt: lost.seenAt } : null;
  return { isRunning: running.length > 0, ended };
}

/** Returns null for an unreadable database, which other checks report. */
async function tracesIn(place: Place) {
  const { readServerTraces } = await import("../../../../store/files/server-traces.ts");
  return readServerTraces(place).catch(() => null);
}
