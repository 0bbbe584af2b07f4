// A service's own list of events: `GET <url>?after=<cursor>&limit=100`, and what may be answered.
// (docs/event-bus.md "The forwarding adapter")

import { z } from "zod";
import { retryAfterSecondsOf } from "../../../client/retry-after.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { messageOf } from "../../connection/errors.ts";
import type { BusConfig } from "../config/config.ts";
import { callHttp, type HttpAnswer, publicUrl } from "../http-call.ts";
import type { Place } from "../place.ts";
import { Trouble } from "./forwarding-trouble.ts";

const maxAnswerBytes = 4 * 1024 * 1024;
const longestRetryAfterMs = 3_600_000;

export interface EventsPage {
  /** Oldest first, not checked yet. */
  events: unknown[];
  /** Where the next page begins; null when there are no events. */
  cursor: string | null;
}

const cursor = z.union([z.string().min(1).max(2000), z.int().transform(String)]);
const page = z.union([
  z.object({ events: z.array(z.unknown()), cursor: cursor.nullish() }),
  z.array(z.unknown()).transform((events) => ({ events, cursor: null })),
]);
const answered = z.union([
  page,
  z.object({ success: z.literal(true), data: page }).transform(({ data }) => data),
]);
const withId = z.object({ id: cursor });

/**
 * What comes after `after`, from the beginning when that is null; null when the answer is larger than
 * is read. Throws Trouble, and the signal's reason.
 */
export async function askForEvents(
  bus: BusConfig,
  { after, limit }: { after: string | null; limit: number },
  place: Place,
  signal: AbortSignal,
): Promise<EventsPage | null> {
  const url = new URL(bus.url);
  if (after !== null) url.searchParams.set("after", after);
  url.searchParams.set("limit", String(limit));
  const answer = await call(url.href, bus, place, signal);
  if (answer.status === 204) return { events: [], cursor: null };
  if (answer.status !== 200) throw refused(bus, answer);
  return answer.cut ? null : pageOf(bus, answer.text);
}

async function call(
  url: string,
  { headers, timeoutMs }: BusConfig,
  place: Place,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const request = { method: "GET", url, headers, maxBytes: maxAnswerBytes };
  try {
    return await withTimeLimit(timeoutMs, signal, async (ended) => {
      try {
        return await callHttp(request, place, ended);
      } catch (error) {
        if (!ended.aborted) throw error;
        throw new Error(`GET ${publicUrl(url)}: ${messageOf(error)}`);
      }
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new Trouble("SERVICE_UNREACHABLE", messageOf(error));
  }
}

/** The answer was larger than is read, though it could have been no smaller. */
export function tooLarge({ url }: BusConfig): Trouble {
  const message = `GET ${publicUrl(url)} answers more than 4 MiB, though limit=1 asks for one event`;
  return new Trouble("SERVICE_ANSWER_INVALID", message);
}

function pageOf({ url }: BusConfig, text: string): EventsPage {
  const read = answered.safeParse(parsed(text));
  if (!read.success) {
    const hint = '{ "events": [ … ], "cursor": "…" } is expected';
    throw new Trouble(
      "SERVICE_ANSWER_INVALID",
      `GET ${publicUrl(url)} answers something else: ${hint}`,
    );
  }
  const { events, cursor } = read.data;
  if (events.length === 0) return { events, cursor: null };
  const place = cursor ?? lastId(events);
  if (place !== null) return { events, cursor: place };
  const message = `GET ${publicUrl(url)} answers events without ids and without a cursor`;
  throw new Trouble("SERVICE_ANSWER_INVALID", message);
}

function lastId(events: unknown[]): string | null {
  const ids = events.map((event) => withId.safeParse(event).data?.id);
  return ids.findLast((id) => id !== undefined) ?? null;
}

function refused({ url }: BusConfig, { status, headers }: HttpAnswer): Trouble {
  const retryAfterMs = Math.min((retryAfterSecondsOf(headers) ?? 0) * 1000, longestRetryAfterMs);
  return new Trouble("SERVICE_REFUSES", `GET ${publicUrl(url)} answers ${status}`, retryAfterMs);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
