// What a replay came to: its sums against what was recorded, why commands would fail, the events.

import { Link } from "react-router";
import type { ReplaySummary } from "../../../../domain/bus/replays.ts";
import { Empty } from "../../../components/empty.tsx";
import { count } from "../../../format/number.ts";
import { type Column, Table } from "../../../lists/table.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { Time } from "../../../values/time.tsx";
import { maxListed, type Replay, type ReplayedEvent } from "./use-replay.ts";

const words = texts.busRoutes.replay;

const columns: Column<ReplayedEvent>[] = [
  {
    key: "type",
    header: texts.words.type,
    cell: ({ eventId, type }) => <Link to={`/bus/events/${eventId}`}>{type}</Link>,
  },
  { key: "source", header: texts.busEvents.source, cell: ({ source }) => source },
  { key: "received", header: words.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  {
    key: "outcome",
    header: words.outcome,
    cell: ({ outcome, reason }) => (
      <div>
        {outcome && <StatusBadge status={outcome} />}
        {reason !== null && <p className="bus-reason small">{reason}</p>}
      </div>
    ),
  },
  {
    key: "recorded",
    header: words.recorded,
    cell: ({ recorded }) => <Recorded recorded={recorded} />,
  },
  {
    key: "payload",
    header: texts.words.payload,
    extra: true,
    cell: ({ payload }) => payload && <code>{JSON.stringify(payload)}</code>,
  },
];

export function ReplayResult({ replay }: { replay: Replay }) {
  const { status, summary, events, oldestEventAt } = replay;
  const isOver = status !== "running";
  return (
    <>
      <Sums summary={summary} />
      {summary.reasons.length > 0 && <Reasons summary={summary} />}
      {isOver && (
        <p className="muted small">
          {oldestEventAt === null ? (
            status === "done" && words.noneKept
          ) : (
            <>
              {words.oldest}: <Time at={oldestEventAt} />
            </>
          )}
        </p>
      )}
      {events.length > 0 && (
        <>
          <h3>{words.matchedEvents}</h3>
          {summary.matched > maxListed && (
            <p>{words.onlyFirst(count(maxListed), count(summary.matched))}</p>
          )}
          <Table
            name="bus-replay"
            label={words.matchedEvents}
            columns={columns}
            rows={events}
            rowKey={({ eventId }) => eventId}
          />
        </>
      )}
      {isOver && events.length === 0 && <Empty>{words.noneMatched}</Empty>}
    </>
  );
}

function Sums({ summary }: { summary: ReplaySummary }) {
  const { recorded } = summary;
  const outcomes = ["commands", "dryRuns", "failed"] as const;
  return (
    <div className="bus-sums">
      <section aria-label={words.would}>
        <h3>{words.would}</h3>
        <Facts
          facts={(["events", "matched", ...outcomes] as const).map((name) => [
            words.counts[name],
            count(summary[name]),
          ])}
        />
      </section>
      {recorded && (
        <section aria-label={words.really}>
          <h3>{words.really}</h3>
          <Facts facts={outcomes.map((name) => [words.counts[name], count(recorded[name])])} />
        </section>
      )}
    </div>
  );
}

function Reasons({ summary }: { summary: ReplaySummary }) {
  return (
    <section aria-label={words.reasons}>
      <h3>{words.reasons}</h3>
      <ul>
        {summary.reasons.map((each) => (
          <li key={each.reason}>
            <span className="muted">{words.times(count(each.count))}</span> {each.reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Recorded({ recorded }: Pick<ReplayedEvent, "recorded">) {
  if (recorded === null) return <span className="muted">{words.nothingRecorded}</span>;
  const { outcome, commandId, reason } = recorded;
  const badge = <StatusBadge status={outcome} />;
  return (
    <div>
      {commandId ? (
        <NounLink to="commands" id={commandId}>
          {badge}
        </NounLink>
      ) : (
        badge
      )}
      {reason !== undefined && <p className="bus-reason small">{reason}</p>}
    </div>
  );
}
