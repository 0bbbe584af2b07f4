// The newest audit events, with problems separate from the rest, so that the many events of a busy
// fleet do not push the problems out.

import { useEffect, useRef, useState } from "react";
import { call } from "../../client/call.ts";
import { type AuditEvent, auditOutcome } from "../../format/audit-event.ts";
import { toneOf } from "../../format/status.ts";
import { useLiveMessages, useLiveStatus } from "../../live/live.tsx";

export interface FeedEvents {
  problems: readonly AuditEvent[];
  others: readonly AuditEvent[];
}

const kept = { problems: 15, others: 50 };
/** During bursts, the feed is rendered only a few times a second. */
const renderMs = 250;

/** Reads the newest events at first and after each interruption; the stream adds later ones. */
export function useFeedEvents() {
  const [events, setEvents] = useState<FeedEvents | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempts, setAttempts] = useState(0);
  const batch = useRef<FeedEvents>(nothing);
  const timer = useRef<number>(undefined);
  useLiveMessages((message) => {
    if (message.type !== "audit") return;
    batch.current = merge(batch.current, [message.data]);
    timer.current ??= window.setTimeout(() => {
      const { problems, others } = batch.current;
      [batch.current, timer.current] = [nothing, undefined];
      setEvents((old) => merge(old ?? nothing, [...problems, ...others]));
    }, renderMs);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      [batch.current, timer.current] = [nothing, undefined];
    },
    [],
  );
  const isLive = useLiveStatus() === "live";
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again after an interruption, and on demand
  useEffect(() => {
    const left = new AbortController();
    call("audit-events.list", { query: { pageSize: kept.others } }, left.signal).then(
      (read) => {
        setEvents((old) => merge(old ?? nothing, read));
        setError(null);
      },
      (failure) => left.signal.aborted || setError(failure),
    );
    return () => left.abort();
  }, [isLive, attempts]);
  return { events, error, retry: () => setAttempts(attempts + 1) };
}

const nothing: FeedEvents = { problems: [], others: [] };

function merge({ problems, others }: FeedEvents, added: readonly AuditEvent[]): FeedEvents {
  const bySeq = new Map([...problems, ...others, ...added].map((event) => [event.seq, event]));
  const ordered = [...bySeq.values()].sort((a, b) => b.seq - a.seq);
  return {
    problems: ordered.filter(isProblem).slice(0, kept.problems),
    others: ordered.filter((event) => !isProblem(event)).slice(0, kept.others),
  };
}

function isProblem(event: AuditEvent): boolean {
  const outcome = auditOutcome(event);
  return outcome === "OFFLINE" || ["bad", "warn"].includes(toneOf(outcome));
}
