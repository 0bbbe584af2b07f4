// Inserts any number of events into the database, without the rate limit or routing.

import { isoTime } from "../../../src/lib/iso-time.ts";
import { insertBusEvents } from "../../../src/store/tables/bus/bus-events.ts";
import { collector, type Scene } from "../scene.ts";

export interface Given {
  type?: string;
  data?: unknown;
  /** In Unix milliseconds. The default is now. */
  receivedAt?: number;
}

/** Returns the ids of the inserted events. */
export async function storeEvents(scene: Scene, events: Given[]): Promise<string[]> {
  const { app, agent, clock, database } = scene;
  return database.write(async (tx) => {
    const ids: string[] = [];
    for (const { type = "log.full", data, receivedAt = clock.now() } of events) {
      const id = app.core.newId("bev");
      const time = isoTime(receivedAt);
      const envelope = { specversion: "1.0", type, source: collector.code, id, time } as const;
      const event = { id, agentId: agent.agentId, depth: 0, receivedAt };
      await insertBusEvents(tx, [{ ...event, envelope: { ...envelope, data: data as never } }]);
      ids.push(id);
    }
    return ids;
  });
}
