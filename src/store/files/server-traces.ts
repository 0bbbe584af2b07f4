// Reads what servers have left in a database, for `platform doctor`.

import type { ClusterNode } from "../../domain/nodes.ts";
import type { Place } from "../../domain/storage/place.ts";
import { openReaderOf } from "../engine/sqlite/open-reader.ts";
import { findRetentionClock } from "../tables/clock.ts";
import { listNodes } from "../tables/nodes.ts";

export interface ServerTraces {
  /** When a server last wrote that it was running, to within a minute, in Unix milliseconds. */
  lastRanAt: number | null;
  nodes: ClusterNode[];
}

export async function readServerTraces(place: Place): Promise<ServerTraces> {
  const opened = await openReaderOf(place);
  try {
    const clock = await findRetentionClock(opened.read);
    const { items: nodes } = await listNodes(opened.read, { page: 1, pageSize: 100 });
    return { lastRanAt: clock?.movedAt ?? null, nodes };
  } finally {
    await opened.close();
  }
}
