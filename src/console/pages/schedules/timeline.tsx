// The next 24 hours of all schedules: a line for each schedule that is due, with a mark per run.

import { useState } from "react";
import { usePage } from "../../client/queries.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Section } from "../../components/page.tsx";
import { shortMoment, shortTime } from "../../format/time.ts";
import { LoadingMark } from "../../lists/loaded.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { useAsOfNow } from "../../values/clock.ts";
import { obstacleText, type ScheduleSummary } from "./schedule.ts";
import { type Stretch, spanMs, startOf, type Upcoming, upcomingOf } from "./upcoming.ts";
import "./timeline.css";

const words = texts.schedules.timeline;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** The server sends at most this many schedules. */
const most = 200;
const shownFirst = 8;
/** The distance between marks on the axis. */
const axisHours = 3;

/** Shows nothing if no schedule is due. */
export function Timeline() {
  const from = useAsOfNow((now) => Math.floor(now / minuteMs) * minuteMs);
  const { data, isPending } = usePage("schedules.list", {
    query: { pageSize: most, sort: "nextRunAt" },
  });
  const [isWhole, setWhole] = useState(false);
  if (isPending) return <LoadingMark />;
  const upcoming = upcomingOf(data?.data ?? [], from);
  if (upcoming.length === 0) return null;
  const shown = isWhole ? upcoming : upcoming.slice(0, shownFirst);
  return (
    <Section title={words.title} card>
      <div className="timeline">
        <Axis from={from} />
        <ul className="plain" aria-label={words.title}>
          {shown.map((each) => (
            <Line key={each.schedule.id} upcoming={each} from={from} />
          ))}
        </ul>
      </div>
      {upcoming.length > shownFirst && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.words.showFewer : words.all({ many: upcoming.length })}
        </Button>
      )}
      {(data?.pagination.total ?? 0) > most && (
        <p className="muted small">{words.most({ many: most })}</p>
      )}
    </Section>
  );
}

function Line({ upcoming, from }: { upcoming: Upcoming; from: number }) {
  const { schedule, stretches } = upcoming;
  const obstacle = whyNot(schedule);
  return (
    <li className="timeline-line">
      <NounLink to="schedules" id={schedule.id}>
        {schedule.name}
      </NounLink>
      <svg
        className={obstacle === null ? "timeline-track" : "timeline-track timeline-held"}
        viewBox={`0 0 ${spanMs / minuteMs} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {stretches.map((stretch) => (
          <Mark key={stretch.from} stretch={stretch} from={from} />
        ))}
      </svg>
      <span className={obstacle === null ? undefined : "timeline-why"}>
        {obstacle ?? (
          <time title={shortMoment(startOf(upcoming))}>{shortTime(startOf(upcoming))}</time>
        )}
      </span>
    </li>
  );
}

/** The coordinates are minutes, because browsers clamp large numbers such as milliseconds. */
function Mark({ stretch, from }: { stretch: Stretch; from: number }) {
  const [x1, x2] = [(stretch.from - from) / minuteMs, (stretch.to - from) / minuteMs];
  const [first, last] = [shortMoment(stretch.from), shortMoment(stretch.to)];
  return x1 === x2 ? (
    <line className="timeline-run" x1={x1} x2={x1} y1="0" y2="1">
      <title>{first}</title>
    </line>
  ) : (
    <rect className="timeline-runs" x={x1} width={x2 - x1} y="0" height="1">
      <title>{`${first} – ${last}`}</title>
    </rect>
  );
}

function Axis({ from }: { from: number }) {
  const marks = hoursFrom(from);
  return (
    <div className="timeline-axis muted small" aria-hidden="true">
      {marks.map((at) => (
        <span
          key={at}
          data-edge={at - from < hourMs || undefined}
          style={{ insetInlineStart: `${((at - from) / spanMs) * 100}%` }}
        >
          {shortTime(at)}
        </span>
      ))}
    </div>
  );
}

/** Returns 00:00, 03:00 and so on in the browser's time zone, as Unix milliseconds. */
function hoursFrom(from: number): number[] {
  const first = new Date(from);
  first.setMinutes(0, 0, 0);
  const hours = Array.from({ length: 26 }, (_, hour) => first.getTime() + hour * hourMs);
  return hours.filter((at) => {
    const isInside = at > from && at < from + spanMs - hourMs;
    return isInside && new Date(at).getHours() % axisHours === 0;
  });
}

function whyNot(schedule: ScheduleSummary): string | null {
  return schedule.state === "PAUSED" ? words.paused : obstacleText(schedule);
}
