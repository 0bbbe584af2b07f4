// The result of a replay, beside what actually happened to the events.

import { Empty } from "../../../components/empty.tsx";
import { count } from "../../../format/number.ts";
import { type Column, column, Table } from "../../../lists/table.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { Time } from "../../../values/time.tsx";
import { maxListed, type Replay, type ReplayedEvent } from "./use-replay.ts";

const words = texts.busRoutes.replay;
const outcomes = ["commands", "dryRuns", "failed"] as const;

const columns: Column<ReplayedEvent>[] = [
  column("type", texts.words.type, ({ eventId, type }) => (
    <NounLink to="bus-events" id={eventId}>
      {type}
    </NounLink>
  )),
  column("source", texts.busEvents.source, ({ source }) => source),
  column("received", texts.busEvents.received, ({ receivedAt }) => <Time at={receivedAt} />),
  column("outcome", words.outcome, ({ outcome, reason }) => (
    <div>
      {outcome && <StatusBadge status={outcome} />}
      <Reason reason={reason} />
    </div>
  )),
  column("recorded", words.recorded, recordedCell),
  column("payload", texts.words.payload, payloadCell, { extra: true }),
];

function payloadCell({ payload }: ReplayedEvent) {
  return payload && <code>{JSON.stringify(payload)}</code>;
}

function recordedCell({ recorded }: ReplayedEvent) {
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
      <Reason reason={reason} />
    </div>
  );
}

function Reason({ reason }: { reason: string | null | undefined }) {
  return reason && <p className="bus-reason muted small">{reason}</p>;
}

export function ReplayResult({ replay }: { replay: Replay }) {
  const { status, summary, events, oldestEventAt } = replay;
  const { recorded, reasons, matched } = summary;
  const isOver = status !== "running";
  return (
    <>
      <div className="bus-sums">
        <Counts title={words.would} names={["events", "matched", ...outcomes]} counts={summary} />
        {recorded && <Counts title={words.really} names={outcomes} counts={recorded} />}
      </div>
      {reasons.length > 0 && (
        <section aria-label={words.reasons}>
          <h3>{words.reasons}</h3>
          <ul>
            {reasons.map(({ reason, count: times }) => (
              <li key={reason}>
                <span className="muted">{words.times({ many: times })}</span> {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      {isOver && oldestEventAt !== null && (
        <p className="muted small">
          {words.oldest}
          {texts.words.colon}
          <Time at={oldestEventAt} />
        </p>
      )}
      {status === "done" && oldestEventAt === null && (
        <p className="muted small">{words.noneKept}</p>
      )}
      {events.length > 0 && (
        <>
          <h3>{words.matchedEvents}</h3>
          {matched > maxListed && <p>{words.onlyFirst({ shown: maxListed, all: matched })}</p>}
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

interface CountsProps<K extends keyof typeof words.counts> {
  title: string;
  names: readonly K[];
  counts: Readonly<Record<K, number>>;
}

function Counts<K extends keyof typeof words.counts>({ title, names, counts }: CountsProps<K>) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <Facts facts={names.map((name) => [words.counts[name], count(counts[name])])} />
    </section>
  );
}
