// The newest audit events in sentences, as they happen. The feed does not interrupt screen readers.

import { memo, useState } from "react";
import { Link } from "react-router";
import { Button } from "../../components/buttons/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { Cut } from "../../components/text/cut.tsx";
import { type AuditEvent, auditOutcome } from "../../format/audit-event.ts";
import { toneOf } from "../../format/status.ts";
import { Loading, useUnsaidError } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { AuditSentence, includesMessage } from "../../values/audit-sentence.tsx";
import { Time } from "../../values/time.tsx";
import { type FeedEvents, useFeedEvents } from "./feed-events.ts";
import "./live-feed.css";

const words = texts.overview.feed;

export function LiveFeed() {
  const { events, error, retry } = useFeedEvents();
  const unsaid = useUnsaidError(error, events !== null);
  const [held, setHeld] = useState<FeedEvents | null>(null);
  const shown = held ?? events;
  const waiting = held && events ? newerThan(held, events) : 0;
  return (
    <Section
      title={words.title}
      actions={
        <div className="row">
          {waiting > 0 && <span className="muted small">{words.waiting({ many: waiting })}</span>}
          <Button kind="quiet" onClick={() => setHeld(held ? null : events)}>
            {held ? words.resume : words.pause}
          </Button>
        </div>
      }
    >
      <Failure error={unsaid} onRetry={retry} />
      {shown === null && !error && <Loading />}
      {shown && <Events of={shown} />}
      <p className="small">
        <Link to="/audit">{words.all}</Link>
      </p>
    </Section>
  );
}

function Events({ of: { problems, others } }: { of: FeedEvents }) {
  if (problems.length + others.length === 0) return <Empty>{texts.audit.empty}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section className="feed card" aria-label={words.title} tabIndex={0}>
      {problems.length > 0 && <Entries title={words.problems} events={problems} />}
      {others.length > 0 && (
        <Entries title={problems.length > 0 ? words.others : null} events={others} />
      )}
    </section>
  );
}

function Entries({ title, events }: { title: string | null; events: readonly AuditEvent[] }) {
  return (
    <>
      {title && <h3 className="muted small">{title}</h3>}
      <ol className="plain" aria-label={title ?? words.title}>
        {events.map((event) => (
          <Entry key={event.seq} event={event} />
        ))}
      </ol>
    </>
  );
}

const Entry = memo(function Entry({ event }: { event: AuditEvent }) {
  const { at, action, message } = event;
  return (
    <li className={`feed-entry tone-${toneOf(auditOutcome(event))}`}>
      <span title={action}>
        <Cut>
          <AuditSentence event={event} />
        </Cut>
      </span>
      <span className="muted small">
        <Time at={at} />
      </span>
      {!includesMessage(event) && (
        <span className="muted small feed-message">
          <Cut>{message}</Cut>
        </span>
      )}
    </li>
  );
});

function newerThan(held: FeedEvents, events: FeedEvents): number {
  const newest = Math.max(held.problems[0]?.seq ?? 0, held.others[0]?.seq ?? 0);
  return [...events.problems, ...events.others].filter(({ seq }) => seq > newest).length;
}
