// The history of a service's status: a strip of 24 hours, a strip of 30 days, and their tables.

import { ArrowRight } from "lucide-react";
import type { Reply } from "../../../client/call.ts";
import { useCall } from "../../../client/queries.ts";
import { Empty } from "../../../components/empty.tsx";
import { Section } from "../../../components/page.tsx";
import { utcDay } from "../../../format/moments.ts";
import { percent } from "../../../format/percent.ts";
import { exactTime, shortMoment, shortTime } from "../../../format/time.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { column, Table } from "../../../lists/table.tsx";
import { texts } from "../../../texts/index.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { Strip } from "./strip.tsx";
import { type Part, troublesText } from "./strip-texts.ts";
import "./service-history.css";

type History = Reply<"services.history">;

const words = texts.services.history;
/** Polls because the strips end now, even if nothing changes. */
const refetchMs = 60_000;

export function ServiceHistory({ serviceId }: { serviceId: string }) {
  const query = useCall("services.history", { params: { serviceId } }, { everyMs: refetchMs });
  return (
    <Section title={words.title}>
      <div className="card history">
        <Loaded query={query}>{(history) => <Strips history={history} />}</Loaded>
      </div>
    </Section>
  );
}

function Strips({ history }: { history: History }) {
  const { changes, changesTotal, halfHours, days, uptime } = history;
  return (
    <>
      <Strip
        title={words.day}
        figure={words.changes({ many: changesTotal })}
        parts={halfHours}
        nameOf={({ from, to }) => `${shortTime(from)}–${shortTime(to)}`}
        ends={[shortMoment(halfHours[0]?.from ?? ""), texts.time.now]}
      />
      <details>
        <summary>{words.showChanges}</summary>
        <Changes changes={changes} total={changesTotal} />
      </details>
      <Strip
        title={words.month({ days: days.length })}
        figure={uptime === null ? words.noUptime : words.uptimeOf({ share: percent(uptime) })}
        note={words.utc}
        parts={days}
        nameOf={({ from }) => utcDay(from)}
        ends={[utcDay(days[0]?.from ?? ""), words.today]}
      />
      <details>
        <summary>{words.showDays}</summary>
        <Days days={days} />
      </details>
    </>
  );
}

function Changes({ changes, total }: { changes: History["changes"]; total: number }) {
  if (changes.length === 0) return <Empty>{words.noChanges}</Empty>;
  return (
    <>
      <ol className="service-timeline plain" aria-label={words.changesLabel}>
        {changes.map(({ at, from, to }) => (
          <li key={at}>
            <time dateTime={at} title={exactTime(at)}>
              {shortMoment(at)}
            </time>
            <span className="row">
              {from === null ? (
                <span className="muted">{words.first}</span>
              ) : (
                <StatusBadge status={from} />
              )}
              <ArrowRight role="img" aria-label={texts.services.to} />
              <StatusBadge status={to} />
            </span>
          </li>
        ))}
      </ol>
      {total > changes.length && (
        <p className="muted">{words.newest({ shown: changes.length, total })}</p>
      )}
    </>
  );
}

const dayColumns = [
  column<Part>("day", words.dayColumn, ({ from }) => utcDay(from)),
  column<Part>("uptime", words.uptime, ({ uptime }) =>
    uptime === null ? words.noData : percent(uptime),
  ),
  column<Part>("otherwise", words.otherwise, troublesText),
];

function Days({ days }: { days: History["days"] }) {
  return (
    <Table
      name="service-days"
      label={words.daysLabel}
      columns={dayColumns}
      rows={days.toReversed()}
      rowKey={({ from }) => from}
    />
  );
}
