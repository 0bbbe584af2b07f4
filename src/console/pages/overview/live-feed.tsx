// The newest audit events, as they happen. The feed does not interrupt screen readers.

import { memo, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { outcomeOf } from "../../../api/audit/words.ts";
import { call } from "../../client/call.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { type AuditEvent, actorName, auditStep, auditSubject } from "../../format/audit-event.ts";
import { useLiveMessages, useLiveStatus } from "../../live/live.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { ToTarget } from "../../values/target-link.tsx";
import { Time } from "../../values/time.tsx";
import "./live-feed.css";

const words = texts.overview.feed;
const feedLength = 50;
/** During bursts, the feed is rendered only a few times a second. */
const renderMs = 250;

export function LiveFeed() {
  const { events, error } = useFeed();
  const [held, setHeld] = useState<readonly AuditEvent[] | null>(null);
  const shown = held ?? events;
  const newest = held?.[0]?.seq ?? 0;
  const waiting = held && events ? events.filter(({ seq }) => seq > newest).length : 0;
  return (
    <Section
      title={words.title}
      actions={
        <div className="row">
          {waiting > 0 && <span className="muted small">{words.waiting(waiting)}</span>}
          <Button kind="quiet" onClick={() => setHeld(held ? null : events)}>
            {held ? words.resume : words.pause}
          </Button>
        </div>
      }
    >
      <Failure error={error} />
      {shown === null && !error && <p className="muted">{texts.words.loading}</p>}
      {shown?.length === 0 && <Empty>{texts.audit.empty}</Empty>}
      {shown && shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <ol className="feed card" aria-label={words.title} tabIndex={0}>
          {shown.map((event) => (
            <Entry key={event.seq} event={event} />
          ))}
        </ol>
      )}
      <p className="small">
        <Link to="/audit">{words.all}</Link>
      </p>
    </Section>
  );
}

const Entry = memo(function Entry({ event }: { event: AuditEvent }) {
  const { at, action, message, targetId } = event;
  const subject = auditSubject(event);
  const outcome = outcomeOf(event);
  const facts = [auditStep(event), actorName(event), message];
  return (
    <li>
      <span className="row feed-head">
        <code className="small">{action}</code>
        {subject && (
          <span title={targetId ?? undefined}>
            <ToTarget of={event}>{subject}</ToTarget>
          </span>
        )}
        {outcome !== "SUCCESS" && <StatusBadge status={outcome} />}
        <span className="muted small">
          <Time at={at} />
        </span>
      </span>
      <span className="muted small">{facts.filter(Boolean).join(" · ")}</span>
    </li>
  );
});

/** Reads the newest events at first and after each interruption; the stream adds later ones. */
function useFeed(): { events: readonly AuditEvent[] | null; error: unknown } {
  const [events, setEvents] = useState<readonly AuditEvent[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const batch = useRef<AuditEvent[]>([]);
  const timer = useRef<number>(undefined);
  useLiveMessages((message) => {
    if (message.type !== "audit") return;
    batch.current = [...batch.current.slice(1 - feedLength), message.data];
    timer.current ??= window.setTimeout(() => {
      const added = batch.current;
      [batch.current, timer.current] = [[], undefined];
      setEvents((old) => merge(old, added));
    }, renderMs);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      [batch.current, timer.current] = [[], undefined];
    },
    [],
  );
  const isLive = useLiveStatus() === "live";
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what happened during an interruption
  useEffect(() => {
    const left = new AbortController();
    call("audit-events.list", { query: { pageSize: feedLength } }, left.signal).then(
      (read) => {
        setEvents((old) => merge(old, read));
        setError(null);
      },
      (failure) => left.signal.aborted || setError(failure),
    );
    return () => left.abort();
  }, [isLive]);
  return { events, error };
}

function merge(old: readonly AuditEvent[] | null, added: readonly AuditEvent[]): AuditEvent[] {
  const bySeq = new Map([...(old ?? []), ...added].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, feedLength);
}
