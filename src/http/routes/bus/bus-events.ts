// Binds the routes of api/bus/bus-events.ts to their use cases.

import type { busEvents } from "../../../api/bus/bus-events.ts";
import { getBusEvent, listBusEvents, publishAsOperator } from "../../../core/bus/bus-events.ts";
import { type HandlersOf, Reply } from "../../dispatch.ts";

export const busEventHandlers: HandlersOf<typeof busEvents> = {
  "bus-events.list": (ctx, { query }) => listBusEvents(ctx, query),
  "bus-events.get": (ctx, { params }) => getBusEvent(ctx, params.eventId),
  "bus-events.publish": async (ctx, { body }) => takenAnswer(await publishAsOperator(ctx, body)),
};

/** What was there already is not created: 200. */
export function takenAnswer<T extends { duplicate: boolean }>(taken: T): Reply<T> {
  return new Reply(taken, taken.duplicate ? { status: 200 } : {});
}
