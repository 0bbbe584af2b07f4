// A service with events, and a fake server that stores or refuses published events.

import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createEmit } from "../../../src/agent/events/events.ts";
import type { Publish } from "../../../src/agent/events/published-event.ts";
import type { AgentEvent, PublishedEvent } from "../../../src/agent/index.ts";
import {
  type ForwarderOptions,
  forwardForever,
} from "../../../src/agent/sidecar/events/forwarder.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { until } from "../harness.ts";

export interface EventsService {
  url: string;
  events: unknown[];
  asked: URLSearchParams[];
  answer: ((response: ServerResponse, request: IncomingMessage) => void) | null;
}

/** Starts a service that returns the events after the event with the id `after`. */
export async function serveEvents(): Promise<EventsService> {
  const service: EventsService = { url: "", events: [], asked: [], answer: null };
  const url = await serveHttp((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    service.asked.push(searchParams);
    if (service.answer) return service.answer(response, request);
    response.end(JSON.stringify({ events: eventsFor(service, searchParams) }));
  });
  service.url = `${url}/capsule/bus/events`;
  return service;
}

export function eventsFor({ events }: EventsService, query: URLSearchParams): unknown[] {
  const from = events.findIndex((event) => idOf(event) === query.get("after")) + 1;
  return events.slice(from, from + Number(query.get("limit")));
}

export function idOf(event: unknown): unknown {
  return (event as { id?: unknown } | null)?.id;
}

/** Creates events with the ids `e<from>`, `e<from + 1>`, … */
export function someEvents(count: number, from = 1): PublishedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: "order.created",
    id: `e${from + index}`,
  })) as PublishedEvent[];
}

export interface FakeServer {
  publish: Publish;
  /** The stored events, oldest first. */
  stored: PublishedEvent[];
  /** The event id of each attempt. */
  tries: unknown[];
  /** Runs before an event is stored; it may throw or return a promise. */
  before: ((event: PublishedEvent) => void | Promise<void>) | null;
}

export function fakeServer(): FakeServer {
  const server: FakeServer = {
    stored: [],
    tries: [],
    before: null,
    async publish(event, { signal } = {}) {
      server.tries.push(event.id);
      await orEnd(server.before?.(event), signal);
      const duplicate = server.stored.some(({ id }) => id === event.id);
      if (!duplicate) server.stored.push(event);
      const told = { sourceEventId: String(event.id), depth: 0, receivedAt: "" };
      return { id: "bev_1", ...told, duplicate };
    },
  };
  return server;
}

function orEnd(waiting: void | Promise<void>, signal: AbortSignal | undefined) {
  return new Promise<void>((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    Promise.resolve(waiting).then(resolve, reject);
  });
}

export interface TestedForwarder {
  told: AgentEvent[];
  stateDir: string;
  /** Waits for the first event of this type, which may have happened already. */
  event<T extends AgentEvent["type"]>(type: T): Promise<Extract<AgentEvent, { type: T }>>;
  stop(): Promise<void>;
}

/** The forwarder runs until the test ends. */
export function startForwarder(
  options: Pick<ForwarderOptions, "publish"> & { url: string } & Partial<
      ForwarderOptions & ForwarderOptions["bus"]
    >,
): TestedForwarder {
  const told: AgentEvent[] = [];
  const ending = new AbortController();
  const { url, headers = {}, intervalMs = 20, timeoutMs = 600_000 } = options;
  const { stateDir = temporaryFolder() } = options;
  const forwarded = {
    serviceCode: "shop",
    isOwn: (source: unknown) => source === "shop",
    origin: { folder: "/", env: {} },
    emit: createEmit((event) => told.push(event)),
    timing: { backoff: { minMs: 5, maxMs: 10 }, busDisabledMs: 20 },
    bus: { url, headers, intervalMs, timeoutMs },
    ...options,
    stateDir,
  };
  const running = forwardForever(forwarded, ending.signal);
  const stop = () => {
    ending.abort();
    return running;
  };
  onTestFinished(stop);
  return {
    told,
    stateDir,
    event: (type) => {
      type Wanted = Extract<AgentEvent, { type: typeof type }>;
      return until(() => told.find((event) => event.type === type) as Wanted | undefined, type);
    },
    stop,
  };
}
