// Replays a route over a time range, page by page. The user can stop the replay.

import { useEffect, useRef, useState } from "react";
import { addSummary, emptySummary, type ReplaySummary } from "../../../../domain/bus/replays.ts";
import { call, type Input, type Reply } from "../../../client/call.ts";

export type ReplayBody = Input<"bus-routes.replay">["body"];
export type ReplayedEvent = Reply<"bus-routes.replay">["events"][number];

export interface Replay {
  status: "running" | "done" | "stopped" | "failed";
  summary: ReplaySummary;
  /** The first matching events. */
  events: ReplayedEvent[];
  /** Null before the first page arrives, and if no events are stored. */
  oldestEventAt: string | null;
  error: unknown;
}

/** Only this many events are listed; the summary counts all of them. */
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
    const update = (change: Partial<Replay>) => {
      now = { ...now, ...change };
      if (running.current === controller) setReplay(now);
    };
    update({});
    try {
      for await (const { summary: added, events, oldestEventAt } of pages(
        body,
        controller.signal,
      )) {
        const summary = structuredClone(now.summary);
        addSummary(summary, added);
        update({ summary, events: [...now.events, ...events].slice(0, maxListed), oldestEventAt });
      }
      update({ status: "done" });
    } catch (error) {
      update(controller.signal.aborted ? { status: "stopped" } : { status: "failed", error });
    }
  };
  return { replay, start, stop };
}

async function* pages(body: ReplayBody, signal: AbortSignal) {
  const asked: ReplayBody = { ...body, onlyMatched: true };
  while (true) {
    const page = await call("bus-routes.replay", { body: asked }, signal);
    yield page;
    if (page.nextCursor === null) return;
    asked.cursor = page.nextCursor;
    signal.throwIfAborted();
  }
}
