import type { ReactNode } from "react";
import { hrefOf, type Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Section } from "../../components/page.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { namedList } from "../../format/named-list.ts";
import { count } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { factsOf } from "../../values/facts.tsx";
import { Badge, StatusBadge } from "../../values/status-badge.tsx";
import { Verdict } from "./verdict.tsx";

const words = texts.settings.metrics;
const { verdict } = texts.settings;

export function MetricsTab() {
  const query = useCall("metrics.get", {}, { everyMs: 10_000 });
  return <Loaded query={query}>{(metrics) => <Tallies metrics={metrics} />}</Loaded>;
}

function Tallies({ metrics }: { metrics: Reply<"metrics.get"> }) {
  const { operational, bus, commandDurations, topCommandErrors, byStatus, totals } = metrics;
  const { busEnabled } = useMe().installation;
  const { title, none, sampleSize, ...durations } = words.durations;
  const duringMs = (ms: number | null) => (ms === null ? none : duration(ms));
  const statuses = [
    "agents",
    "capsuleServices",
    "commands",
    "rollouts",
    "registrationTokens",
  ] as const;
  const ofBus = busEnabled ? watchedRows(words.bus.names, bus) : [];
  const ofWork = watchedRows(words.operational.names, operational);
  const wrong = [...ofWork, ...ofBus].filter(([, , help]) => help).map(([name]) => name);
  return (
    <>
      <Verdict tone={wrong.length === 0 ? "good" : "warn"}>
        {wrong.length === 0
          ? verdict.noCounts
          : verdict.counts({ many: wrong.length, names: namedList(wrong) })}
      </Verdict>
      <div className="row section-header">
        <p className="muted">{words.says}</p>
        <a href={hrefOf("metrics.prometheus", {})} target="_blank" rel="noreferrer">
          {words.prometheus}
        </a>
      </div>
      <div className="settings-columns columns">
        <Tally title={words.operational.title} rows={ofWork} />
        <Tally
          title={title}
          rows={[
            ...factsOf(durations, commandDurations, duringMs),
            [sampleSize, count(commandDurations.sampleSize)],
          ]}
        />
        <Tally
          title={words.errors}
          rows={topCommandErrors.map(({ code, count: times }) => [
            <code key={code}>{softBreaks(code)}</code>,
            count(times),
          ])}
          empty={texts.overview.failures.none}
        />
        {busEnabled && <Tally title={words.bus.title} rows={ofBus} />}
        <Tally title={words.totals.title} rows={factsOf(words.totals.names, totals, count)} />
        {statuses.map((noun) => (
          <Tally
            key={noun}
            title={words.byStatus[noun]}
            rows={Object.entries(byStatus[noun]).map(([status, number]) => [
              <span key={status} className={number === 0 ? "settings-zero" : undefined}>
                <StatusBadge status={status} />
              </span>,
              count(number),
            ])}
          />
        ))}
      </div>
    </>
  );
}

const helps: Readonly<Record<string, string>> = words.helps;

/** Adds an explanation to each count that should be zero but is not. */
function watchedRows<K extends string>(
  names: Readonly<Record<K, string>>,
  values: Readonly<Record<NoInfer<K>, number>>,
): Watched[] {
  return (Object.keys(names) as K[]).map((key) => {
    const value = values[key];
    return [names[key], count(value), value > 0 ? helps[key] : undefined];
  });
}

type Watched = [name: string, value: string, help: string | undefined];
type Row = [name: ReactNode, value: string, help?: string | undefined];

interface TallyProps {
  title: string;
  rows: Row[];
  empty?: string;
}

function Tally({ title, rows, empty }: TallyProps) {
  return (
    <Section title={title} card>
      {rows.length === 0 && <p className="muted">{empty}</p>}
      <dl className="settings-tally">
        {rows.map(([name, value, help], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their places
          <div key={index}>
            <dt>
              {name}
              {help && <p className="muted small">{help}</p>}
            </dt>
            <dd>{help ? <Badge tone="bad">{value}</Badge> : value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
