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

const words = texts.settings.metrics;

export function MetricsTab() {
  const query = useCall("metrics.get", {}, { everyMs: 10_000 });
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

function Tallies({ metrics }: { metrics: Reply<"metrics.get"> }) {
  const { operational, bus, commandDurations, topCommandErrors, byStatus, totals } = metrics;
  const { busEnabled } = useMe().installation;
  const { title, none, sampleSize, ...durations } = words.durations;
  const duringMs = (ms: number | null) => (ms === null ? none : duration(ms));
  const statuses = ["agents", "capsuleServices", "commands", "registrationTokens"] as const;
  return (
    <div className="settings-columns columns">
      <Tally title={words.operational.title} rows={rowsOf(words.operational.names, operational)} />
      <Tally
        title={title}
        rows={[
          ...rowsOf(durations, commandDurations, duringMs),
          [sampleSize, count(commandDurations.sampleSize)],
        ]}
      />
      <Tally
        title={words.errors.title}
        rows={topCommandErrors.map(({ code, count: times }) => [
          <code key={code}>{code}</code>,
          count(times),
        ])}
        empty={words.errors.none}
      />
      {busEnabled && <Tally title={words.bus.title} rows={rowsOf(words.bus.names, bus)} />}
      <Tally title={words.totals.title} rows={rowsOf(words.totals.names, totals)} />
      {statuses.map((noun) => (
        <Tally
          key={noun}
          title={words.byStatus[noun]}
          rows={Object.entries(byStatus[noun]).map(([status, number]) => [
            <StatusBadge key={status} status={status} />,
            count(number),
          ])}
        />
      ))}
    </div>
  );
}

type TallyRow = [name: ReactNode, value: string];

function rowsOf<K extends string, V = number>(
  names: Record<K, string>,
  values: Record<NoInfer<K>, V>,
  text: (value: V) => string = count as never,
): TallyRow[] {
  const keys = Object.keys(names) as K[];
  return keys.map((key) => [names[key], text(values[key])]);
}

function Tally({ title, rows, empty }: { title: string; rows: TallyRow[]; empty?: string }) {
  return (
    <Section title={title}>
      <div className="card">
        {rows.length === 0 && <p className="muted">{empty}</p>}
        <dl className="settings-tally">
          {rows.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their places
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
