// Replays stored events against a route without writing anything. Each page is limited in time and
// size, so that large events or slow schemas cannot block the server.

import type { z } from "zod";
import type { busRoutes } from "../../api/bus/bus-routes.ts";
import type { replayedEvent, replayPage } from "../../api/bus/replay-schemas.ts";
import {
  countEvent,
  emptySummary,
  type ReplayCursor,
  writeReplayCursor,
} from "../../domain/bus/replays.ts";
import { matchRoute, mayMatch } from "../../domain/bus/route-matching.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import { findBusEvent } from "../../store/tables/bus/bus-events.ts";
import {
  listWindow,
  newestEventAt,
  oldestEventAt,
  type WindowEvent,
} from "../../store/tables/bus/replays.ts";
import { bulkReader, type Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";
import { requireShownRoute } from "./bus-routes.ts";
import {
  type BusTarget,
  busTargetOf,
  type Rule,
  routeEffect,
  shownPayload,
} from "./route-effect.ts";

type ReplayedEvent = z.output<typeof replayedEvent>;
type ReplayPage = z.output<typeof replayPage>;

/** A request with either `route` or `routeId`. */
type Replay = Body<typeof busRoutes, "bus-routes.replay">;

/** The time, and the number of JSON characters, after which a page ends. */
const pageMs = 250;
const pageCharacters = 1024 * 1024;
const rowsAtOnce = 100;

export async function replayRoute(ctx: Ctx, replay: Replay): Promise<ReplayPage> {
  const { db } = ctx.core;
  const rule = replay.route ?? (await requireShownRoute(db.read, replay.routeId ?? ""));
  const target = await busTargetOf(ctx, db.read, rule);
  const end = replay.cursor?.before ?? (await afterAll(ctx));
  const before = Math.min(replay.to ?? Infinity, end);
  const after = replay.cursor?.after ?? { receivedAt: replay.from, id: "" };
  const page = await walk(ctx, rule, target, replay, { before, after });
  const oldest = await oldestEventAt(db.read);
  return { ...page, oldestEventAt: oldest === null ? null : isoTime(oldest) };
}

/** Events can have times in the future, because the clock may have been set back. */
async function afterAll({ core }: Ctx): Promise<number> {
  const newest = await newestEventAt(core.db.read);
  return Math.max(core.now(), newest ?? 0) + 1;
}

async function walk(
  ctx: Ctx,
  rule: Rule,
  target: BusTarget,
  { routeId, limit, onlyMatched }: Replay,
  { before, after }: ReplayCursor,
): Promise<Omit<ReplayPage, "oldestEventAt">> {
  const read = bulkReader(ctx);
  const events: ReplayedEvent[] = [];
  const summary = emptySummary(routeId !== undefined);
  const { monotonic } = ctx.core;
  const until = monotonic() + pageMs;
  let characters = 0;
  let place = after;
  let walked = 0;
  for await (const row of rowsOf(read, routeId ?? null, { before, after })) {
    // Each page includes at least one row, so that the next page starts after it.
    const isFull = summary.events >= limit || characters >= pageCharacters;
    if (walked > 0 && (isFull || monotonic() >= until)) {
      return { events, summary, nextCursor: writeReplayCursor({ before, after: place }) };
    }
    walked++;
    place = { receivedAt: row.receivedAt, id: row.id };
    await ctx.budget.spend();
    const event = await replayEvent(read, rule, target, row);
    if (event === null) continue;
    countEvent(summary, event);
    if (event.matched || !onlyMatched) {
      events.push(event);
      characters += JSON.stringify(event).length;
    }
  }
  return { events, summary, nextCursor: null };
}

async function* rowsOf(
  db: Reader,
  routeId: string | null,
  { before, after }: ReplayCursor,
): AsyncGenerator<WindowEvent, void> {
  let place = after;
  while (true) {
    const rows = await listWindow(db, routeId, { after: place, before }, rowsAtOnce);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    place = last;
  }
}

/** Returns null if the event was just deleted. */
async function replayEvent(db: Reader, rule: Rule, target: BusTarget, row: WindowEvent) {
  if (!mayMatch(rule, row)) return toView(row);
  const stored = await findBusEvent(db, row.id);
  if (!stored) return null;
  if (!matchRoute(rule, stored.envelope).matched) return toView(row);
  const { outcome, reason, command } = routeEffect(rule, stored.envelope, target);
  const payload = command && shownPayload(rule, stored.envelope, target);
  return toView(row, { matched: true, outcome, reason, payload });
}

const noMatch = { matched: false, outcome: null, reason: null, payload: null };

function toView(
  { id, type, source, receivedAt, recorded }: WindowEvent,
  found: Pick<ReplayedEvent, keyof typeof noMatch> = noMatch,
): ReplayedEvent {
  const view = { eventId: id, type, source, receivedAt: isoTime(receivedAt), ...found };
  return { ...view, recorded: recorded && toRecorded(recorded) };
}

function toRecorded({ outcome, commandId, reason }: NonNullable<WindowEvent["recorded"]>) {
  return {
    outcome,
    ...(commandId === null ? {} : { commandId }),
    ...(reason === null ? {} : { reason }),
  };
}
