// What happens right now, newest first. It can be held still to be read; readers are not interrupted by it.

import { memo, useState } from "react";
import { Link } from "react-router";
import { outcomeOf } from "../../../api/audit/words.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { actorName, auditStep, auditSubject } from "../../format/audit-event.ts";
import { count } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { ToTarget } from "../../values/target-link.tsx";
import { Time } from "../../values/time.tsx";
import { type AuditEvent, useFeed } from "./feed.ts";
import "./live-feed.css";

const words = texts.overview.feed;

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
          {waiting > 0 && <span className="muted small">{words.waiting(count(waiting))}</span>}
          <Button kind="quiet" onClick={() => setHeld(held ? null : events)}>
            {held ? words.resume : words.pause}
          </Button>
        </div>
      }
    >
      <Failure error={error} />
      {shown === null && !error && <p className="muted">{texts.words.loading}</p>}
      {shown?.length === 0 && <Empty>{words.none}</Empty>}
      {shown && shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
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
  const { at, action, message } = event;
  const subject = auditSubject(event);
  const outcome = outcomeOf(event);
  const facts = [auditStep(event), actorName(event), message];
  return (
    <li>
      <span className="feed-head">
        <code className="small">{action}</code>
        {subject && (
          <span className="feed-subject" title={event.targetId ?? undefined}>
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
