// docs/guides/event-bus.md "The forwarding adapter" describes the protocol.

import { z } from "zod";
import { retryAfterSecondsOf } from "../../../client/retry-after.ts";
import { jsonOrUndefined } from "../../../lib/json/json-or-undefined.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { messageOf } from "../../connection/errors.ts";
import type { BusConfig } from "../config/config.ts";
import type { Abortable } from "../config/config-origin.ts";
import { callHttp, type HttpResponse, publicUrl } from "../http-call.ts";
import { ForwardingTrouble } from "./forwarding-trouble.ts";

const maxResponseBytes = 4 * 1024 * 1024;
const longestRetryAfterMs = 3_600_000;

export interface EventsPage {
  /** The events are in order, oldest first, and not validated yet. */
  events: unknown[];
  /** Where the next page starts; null if there are no events. */
  cursor: string | null;
}

const cursor = z.union([z.string().max(2000), z.int().transform(String)]);
const page = z.union([
  z.object({ events: z.array(z.unknown()), cursor: cursor.nullish() }),
  z.array(z.unknown()).transform((events) => ({ events, cursor: null })),
]);
const pageSchema = z.union([
  page,
  z.object({ success: z.literal(true), data: page }).transform(({ data }) => data),
]);
const withId = z.object({ id: cursor });

/**
 * Returns null if the response is larger than the limit. Throws ForwardingTrouble, or the signal's
 * reason.
 */
export async function askForEvents(
  bus: BusConfig,
  { after, limit }: { after: string | null; limit: number },
  origin: Abortable,
): Promise<EventsPage | null> {
  const url = new URL(bus.url);
  if (after !== null) url.searchParams.set("after", after);
  url.searchParams.set("limit", String(limit));
  const response = await call(url.href, bus, origin);
  if (response.status === 204) return { events: [], cursor: null };
  if (response.status !== 200) throw refused(bus, response);
  return response.cut ? null : pageOf(bus, response.text);
}

async function call(url: string, { headers, timeoutMs }: BusConfig, origin: Abortable) {
  const request = { method: "GET", url, headers, maxBytes: maxResponseBytes };
  try {
    return await withTimeLimit(timeoutMs, origin.signal, async (signal) => {
      try {
        return await callHttp(request, { ...origin, signal });
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new Error(`GET ${publicUrl(url)}: ${messageOf(error)}`);
      }
    });
  } catch (error) {
    origin.signal.throwIfAborted();
    throw new ForwardingTrouble("SERVICE_UNREACHABLE", messageOf(error));
  }
}

export function tooLarge({ url }: BusConfig): ForwardingTrouble {
  const message = `GET ${publicUrl(url)} returned more than 4 MiB for a single event (limit=1)`;
  return new ForwardingTrouble("SERVICE_ANSWER_INVALID", message);
}

function pageOf({ url }: BusConfig, text: string): EventsPage {
  const read = pageSchema.safeParse(jsonOrUndefined(text));
  if (!read.success) {
    const hint = '{ "events": [ … ], "cursor": "…" }';
    throw new ForwardingTrouble(
      "SERVICE_ANSWER_INVALID",
      `GET ${publicUrl(url)} did not return ${hint}`,
    );
  }
  const { events, cursor } = read.data;
  if (events.length === 0) return { events, cursor: null };
  const next = cursor || lastId(events);
  if (next !== null) return { events, cursor: next };
  const message = `GET ${publicUrl(url)} returned events without ids and without a cursor`;
  throw new ForwardingTrouble("SERVICE_ANSWER_INVALID", message);
}

function lastId(events: unknown[]): string | null {
  const ids = events.map((event) => withId.safeParse(event).data?.id);
  return ids.findLast((id) => id) ?? null;
}

function refused({ url }: BusConfig, { status, headers }: HttpResponse): ForwardingTrouble {
  const retryAfterMs = Math.min((retryAfterSecondsOf(headers) ?? 0) * 1000, longestRetryAfterMs);
  return new ForwardingTrouble(
    "SERVICE_REFUSES",
    `GET ${publicUrl(url)} returned HTTP ${status}`,
    retryAfterMs,
  );
}
