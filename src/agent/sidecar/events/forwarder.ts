// Reads the events of one service and publishes them in order, each at least once. The server
// stores each id only once.

import { join } from "node:path";
import { z } from "zod";
import { isJsonObject } from "../../../domain/payload/json.ts";
import { pause } from "../../bell.ts";
import { jittered } from "../../connection/backoff.ts";
import { messageOf } from "../../connection/errors.ts";
import type { Emit } from "../../events/events.ts";
import type { Publish, PublishedEvent } from "../../events/published-event.ts";
import { type StateFile, stateFile } from "../../state-file.ts";
import type { BusConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config/config-origin.ts";
import { publicUrl } from "../http-call.ts";
import {
  type ForwardingTiming,
  ForwardingTrouble,
  isPoison,
  troubleCodeOf,
  usualTiming,
} from "./forwarding-trouble.ts";
import { askForEvents, type EventsPage, tooLarge } from "./service-events.ts";
import { createTroubleReporter } from "./trouble-reporter.ts";

const largestLimit = 100;

export interface ForwarderOptions {
  serviceCode: string;
  /** Whether this is the code of one of the agent's services. */
  isOwn: (source: unknown) => boolean;
  bus: BusConfig;
  origin: ConfigOrigin;
  stateDir: string;
  publish: Publish;
  emit: Emit;
  timing?: ForwardingTiming;
}

interface Relayed {
  stored: number;
  duplicates: number;
  skipped: number;
}

/** Forwards the events until the signal is aborted. Never rejects. */
export async function forwardForever(
  options: ForwarderOptions,
  signal: AbortSignal,
): Promise<void> {
  const { serviceCode, isOwn, bus, origin, stateDir, publish, emit } = options;
  const { timing = usualTiming } = options;
  const file = cursorFile(stateDir, serviceCode);
  const trouble = createTroubleReporter(serviceCode, timing, emit);
  const asking = { ...origin, signal };
  /** The cursor is undefined until its file is read. */
  let position: string | null | undefined;
  let limit = largestLimit;
  /** Events of the latest page that need no more work. The cursor has not passed them yet. */
  let settled = new Set<string>();

  while (!signal.aborted) {
    try {
      const isMore = await forwardPage();
      trouble.over();
      if (!isMore) await pause(jittered(bus.intervalMs), signal);
    } catch (error) {
      if (!signal.aborted) await pause(trouble.failed(error), signal);
    }
  }

  /** Returns whether the page had events, in which case there may be more. */
  async function forwardPage(): Promise<boolean> {
    const { url } = bus;
    if (position === undefined) {
      const stored = await file.read();
      position = stored?.url === url ? stored.cursor : null;
    }
    const { events, cursor } = await nextPage(position);
    if (cursor === null) return false;
    await relayAll(events);
    if (cursor === position) throw cursorUnchanged(cursor);
    await file.write({ url, cursor });
    position = cursor;
    settled.clear();
    return true;
  }

  /** Asks for smaller pages while the response is too large. */
  async function nextPage(after: string | null): Promise<EventsPage> {
    while (true) {
      const page = await askForEvents(bus, { after, limit }, asking);
      if (page) {
        limit = Math.min(limit * 2, largestLimit);
        return page;
      }
      if (limit === 1) throw tooLarge(bus);
      limit = Math.floor(limit / 2);
    }
  }

  async function relayAll(events: unknown[]): Promise<void> {
    const before = settled;
    settled = new Set<string>();
    const relayed: Relayed = { stored: 0, duplicates: 0, skipped: 0 };
    try {
      for (const event of events) {
        const key = JSON.stringify(event);
        if (!before.has(key)) relayed[await relay(event)]++;
        settled.add(key);
      }
    } finally {
      emitForwarded(relayed);
    }
  }

  async function relay(event: unknown): Promise<keyof Relayed> {
    if (!isJsonObject(event)) return skip(null, "EVENT_INVALID", "it is not an object");
    const source = event.source ?? serviceCode;
    const id = idOf(event);
    // A generated id would differ at the next attempt.
    if (id === undefined || id === null) return skip(null, "EVENT_INVALID", "it has no id");
    try {
      // The server checks the other fields.
      const sent = { ...event, id, source } as PublishedEvent;
      const { duplicate } = await publish(sent, { signal });
      return duplicate ? "duplicates" : "stored";
    } catch (error) {
      if (signal.aborted || !isPoison(error, isOwn(source))) throw error;
      return skip(String(id).slice(0, 200), troubleCodeOf(error), messageOf(error));
    }
  }

  function skip(eventId: string | null, code: string, reason: string): "skipped" {
    const name = eventId === null ? "An event" : `The event ${eventId}`;
    const message = `${name} of ${serviceCode} was skipped: ${reason}`;
    emit("error", message, { type: "bus.skipped", serviceCode, eventId, code });
    return "skipped";
  }

  function emitForwarded({ stored, duplicates, skipped }: Relayed): void {
    if (stored + duplicates === 0) return;
    const again = duplicates > 0 ? `; the server already had ${duplicates}` : "";
    const message = `Events of ${serviceCode} forwarded: ${stored}${again}.`;
    emit("info", message, { type: "bus.forwarded", serviceCode, stored, duplicates, skipped });
  }

  function cursorUnchanged(cursor: string): ForwardingTrouble {
    const url = publicUrl(bus.url);
    const message = `GET ${url} returned the same cursor again: ${cursor}`;
    return new ForwardingTrouble("SERVICE_ANSWER_INVALID", message);
  }
}

/** The server accepts only text. An unsafe number may have been rounded to another event's id. */
function idOf({ id }: Record<string, unknown>): unknown {
  return Number.isSafeInteger(id) ? String(id) : id;
}

/** A cursor is valid only for its URL. */
const cursorContent = z.object({ url: z.string(), cursor: z.string() });
type Cursor = z.output<typeof cursorContent>;

const cursorHint = "it is not a cursor file; remove it to read all events of the service again";

/**
 * Stores how far a service's events have been forwarded. All methods throw ForwardingTrouble
 * CURSOR_UNUSABLE.
 */
function cursorFile(stateDir: string, serviceCode: string): StateFile<Cursor> {
  // A code can contain a colon, which some file systems do not allow.
  const file = join(stateDir, `bus-${encodeURIComponent(serviceCode)}.json`);
  const unusable = (reason: string) =>
    new ForwardingTrouble("CURSOR_UNUSABLE", `${file} cannot be used: ${reason}`);
  return stateFile(file, cursorContent, cursorHint, unusable);
}
