// The newest audit events as they happen: read once, then told by the live stream, and read again after a
// break of it.

import { useEffect, useState } from "react";
import { call, type Reply } from "../../client/call.ts";
import { useLiveMessages, useLiveStatus } from "../../live/live.tsx";

export type AuditEvent = Reply<"audit-events.list">[number];

export const feedLength = 50;
/** Storms are drawn a few times a second. */
const pauseMs = 250;

export interface Feed {
  /** Newest first; null until they have come. */
  events: readonly AuditEvent[] | null;
  error: unknown;
}

export function useFeed(): Feed {
  const [events, setEvents] = useState<readonly AuditEvent[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [gathered] = useState(() => new Gathered((came) => setEvents((had) => merge(had, came))));
  useLiveMessages((message) => {
    if (message.type === "audit") gathered.add(message.data);
  });
  useEffect(() => () => gathered.clear(), [gathered]);
  const isLive = useLiveStatus() === "live";
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened in a break is read after it
  useEffect(() => {
    const gone = new AbortController();
    call("audit-events.list", { query: { pageSize: feedLength } }, gone.signal).then(
      (read) => {
        setEvents((had) => merge(had, read));
        setError(null);
      },
      (failure) => gone.signal.aborted || setError(failure),
    );
    return () => gone.abort();
  }, [isLive]);
  return { events, error };
}

class Gathered {
  readonly #tell: (events: AuditEvent[]) => void;
  #events: AuditEvent[] = [];
  #timer: number | undefined;

  constructor(tell: (events: AuditEvent[]) => void) {
    this.#tell = tell;
  }

  add(event: AuditEvent): void {
    this.#events = [...this.#events.slice(1 - feedLength), event];
    this.#timer ??= window.setTimeout(() => {
      this.#tell(this.#events);
      this.clear();
    }, pauseMs);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#events = [];
  }
}

function merge(had: readonly AuditEvent[] | null, came: readonly AuditEvent[]): AuditEvent[] {
  const bySeq = new Map([...(had ?? []), ...came].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, feedLength);
}
