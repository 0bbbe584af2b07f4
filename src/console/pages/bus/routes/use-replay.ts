// A replay of a route over a window, asked for page by page until its end, or until it is stopped.

import { useEffect, useRef, useState } from "react";
import { addSummary, emptySummary, type ReplaySummary } from "../../../../domain/bus/replays.ts";
import { call, type Input, type Reply } from "../../../client/call.ts";

export type ReplayBody = Input<"bus-routes.replay">["body"];
export type ReplayedEvent = Reply<"bus-routes.replay">["events"][number];

export interface Replay {
  status: "running" | "done" | "stopped" | "failed";
  summary: ReplaySummary;
  /** Those that match, the first of them. */
  events: ReplayedEvent[];
  /** Null until the first page is there, and when no events are kept. */
  oldestEventAt: string | null;
  error: unknown;
}

/** More rows than a person reads; the sums count all. */
export const maxListed = 200;

export function useReplay() {
  const [replay, setReplay] = useState<Replay | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);

  const start = async (body: ReplayBody) => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    let now: Replay = {
      status: "running",
      summary: emptySummary(body.routeId !== undefined),
      events: [],
      oldestEventAt: null,
      error: null,
    };
    const tell = (change: Partial<Replay>) => {
      now = { ...now, ...change };
      if (running.current === controller) setReplay(now);
    };
    tell({});
    try {
      for await (const page of pagesOf(body, controller.signal)) {
        const summary = structuredClone(now.summary);
        addSummary(summary, page.summary);
        tell({
          summary,
          events: [...now.events, ...page.events].slice(0, maxListed),
          oldestEventAt: page.oldestEventAt,
        });
      }
      tell({ status: "done" });
    } catch (error) {
      tell(controller.signal.aborted ? { status: "stopped" } : { status: "failed", error });
    }
  };
  return { replay, start, stop };
}

async function* pagesOf(body: ReplayBody, signal: AbortSignal) {
  const asked: ReplayBody = { ...body, onlyMatched: true };
  while (true) {
    const page = await call("bus-routes.replay", { body: asked }, signal);
    yield page;
    if (page.nextCursor === null) return;
    asked.cursor = page.nextCursor;
    signal.throwIfAborted();
  }
}
