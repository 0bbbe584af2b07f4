// Operational metrics, as tallies.

import type { ReactNode } from "react";
import { hrefOf, type Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Section } from "../../components/page.tsx";
import { count } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";

type Metrics = Reply<"metrics.get">;

const words = texts.settings.metrics;
const everyMs = 10_000;

export function MetricsTab() {
  const query = useCall("metrics.get", {}, { everyMs });
  return (
    <>
      <div className="row section-header">
        <p className="muted">{words.says}</p>
        <a href={hrefOf("metrics.prometheus", {})} target="_blank" rel="noreferrer">
          {words.prometheus}
        </a>
      </div>
      <Loaded query={query}>{(metrics) => <Tallies metrics={metrics} />}</Loaded>
    </>
  );
}

function Tallies({ metrics }: { metrics: Metrics }) {
  const { operational, bus, commandDurations, topCommandErrors, byStatus, totals } = metrics;
  const { busEnabled } = useMe().installation;
  return (
    <div className="settings-columns">
      <Counted words={words.operational} counts={operational} />
      <Durations durations={commandDurations} />
      <Tally
        title={words.errors.title}
        rows={topCommandErrors.map(({ code, count: times }) => [
          <code key={code}>{code}</code>,
          count(times),
        ])}
        empty={words.errors.none}
      />
      {busEnabled && <Counted words={words.bus} counts={bus} />}
      <Counted words={words.totals} counts={totals} />
      <ByStatus title={words.byStatus.agents} counts={byStatus.agents} />
      <ByStatus title={words.byStatus.capsuleServices} counts={byStatus.capsuleServices} />
      <ByStatus title={words.byStatus.commands} counts={byStatus.commands} />
      <ByStatus title={words.byStatus.registrationTokens} counts={byStatus.registrationTokens} />
    </div>
  );
}

function Counted<K extends string>({
  words: { title, names },
  counts,
}: {
  words: { title: string; names: Record<K, string> };
  counts: Record<K, number>;
}) {
  const keys = Object.keys(names) as K[];
  return <Tally title={title} rows={keys.map((key) => [names[key], count(counts[key])])} />;
}

function ByStatus({ title, counts }: { title: string; counts: Record<string, number> }) {
  return (
    <Tally
      title={title}
      rows={Object.entries(counts).map(([status, number]) => [
        <StatusBadge key={status} status={status} />,
        count(number),
      ])}
    />
  );
}

function Durations({ durations }: { durations: Metrics["commandDurations"] }) {
  const { title, none, sampleSize, ...names } = words.durations;
  const keys = Object.keys(names) as (keyof typeof names)[];
  const told = (ms: number | null) => (ms === null ? none : duration(ms));
  return (
    <Tally
      title={title}
      rows={[
        ...keys.map((key): [string, string] => [names[key], told(durations[key])]),
        [sampleSize, count(durations.sampleSize)],
      ]}
    />
  );
}

function Tally({
  title,
  rows,
  empty,
}: {
  title: string;
  rows: [name: ReactNode, value: string][];
  empty?: string;
}) {
  return (
    <Section title={title}>
      <div className="card">
        {rows.length === 0 && <p className="muted">{empty}</p>}
        <dl className="settings-tally">
          {rows.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a tally keep their places
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}
