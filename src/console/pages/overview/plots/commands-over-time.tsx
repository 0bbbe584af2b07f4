// The outcomes and durations of commands, as plots or as a table. The URL contains the time range.

import { lazy, Suspense, useState } from "react";
import { useCall } from "../../../client/queries.ts";
import { Boundary } from "../../../components/boundary.tsx";
import { Button } from "../../../components/buttons/button.tsx";
import { Section } from "../../../components/page.tsx";
import { count } from "../../../format/number.ts";
import type { Tone } from "../../../format/status.ts";
import { duration, exactTime, shortMoment } from "../../../format/time.ts";
import { useListState } from "../../../lists/list-state.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { type Column, column, Table } from "../../../lists/table.tsx";
import { texts } from "../../../texts/index.ts";
import type { Bucket, CommandReport, Hours } from "./command-plot-options.ts";
import "./commands-over-time.css";

const words = texts.overview.commands;
const windows: readonly Hours[] = [1, 6, 24, 168];
/** Polls because the time range moves even if nothing happens. */
const refetchMs = 60_000;

const CommandPlots = lazy(async () => ({
  default: (await import("./command-plots.tsx")).CommandPlots,
}));

export function CommandsOverTime() {
  const state = useListState(["hours"]);
  const hours = windows.find((each) => String(each) === state.filters.hours) ?? 24;
  const query = useCall("overview.commands", { query: { hours } }, { everyMs: refetchMs });
  const [isTable, setTable] = useState(false);
  return (
    <Section
      title={words.title}
      actions={
        <div className="row">
          <select
            aria-label={words.window}
            className="control plot-window"
            value={hours}
            onChange={({ target: { value } }) =>
              state.setFilter("hours", value === "24" ? "" : value)
            }
          >
            {windows.map((each) => (
              <option key={each} value={each}>
                {words.windows[each]}
              </option>
            ))}
          </select>
          <Button kind="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? words.asPlot : words.asTable}
          </Button>
        </div>
      }
    >
      <div className="card">
        <Loaded query={query}>
          {(report) => {
            const { sampleSize, coveredFrom, from, buckets } = report;
            const table = <CommandTable buckets={buckets} />;
            return (
              <>
                {coveredFrom > from && (
                  <p className="small">{words.covered({ from: exactTime(coveredFrom) })}</p>
                )}
                {sampleSize === 0 ? (
                  <p className="muted">{words.none}</p>
                ) : isTable ? (
                  table
                ) : (
                  // The table is shown instead if the browser cannot load or show the plots.
                  <Boundary otherwise={table}>
                    <Plots report={report} hours={hours} />
                  </Boundary>
                )}
              </>
            );
          }}
        </Loaded>
      </div>
    </Section>
  );
}

function Plots({ report, hours }: { report: CommandReport; hours: Hours }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { buckets } = report;
  const totals = totalsOf(buckets);
  const { succeeded, failed, cancelled } = totals;
  const summary = words.summary({ succeeded, failed, cancelled });
  const window = words.windows[hours];
  return (
    <>
      <PlotLegend
        totals={totals}
        bucket={pointed === null ? undefined : buckets[pointed]}
        window={window}
      />
      <Suspense fallback={<div className="plot-space" />}>
        <CommandPlots
          report={report}
          hours={hours}
          label={(what) => words.plot({ what, window, summary })}
          onPoint={setPointed}
        />
      </Suspense>
    </>
  );
}

type Totals = Pick<Bucket, "succeeded" | "failed" | "cancelled">;

function totalsOf(buckets: readonly Bucket[]): Totals {
  const sum = (of: keyof Totals) => buckets.reduce((total, bucket) => total + bucket[of], 0);
  return { succeeded: sum("succeeded"), failed: sum("failed"), cancelled: sum("cancelled") };
}

/** Shows the numbers of the bucket under the pointer, or of all buckets if there is none. */
function PlotLegend(props: { totals: Totals; bucket: Bucket | undefined; window: string }) {
  const { totals, bucket, window } = props;
  const { succeeded, failed, cancelled } = bucket ?? totals;
  const entries: [tone: Tone, form: string, name: string, value: string | false][] = [
    ["bad", "plot-mark-hatched", words.failed, count(failed)],
    ["good", "", words.succeeded, count(succeeded)],
    ["idle", "plot-mark-hollow", words.cancelled, count(cancelled)],
    ["busy", "plot-mark-line", words.p50, took(bucket?.p50Ms)],
    ["unsure", "plot-mark-line plot-mark-dashed", words.p95, took(bucket?.p95Ms)],
  ];
  return (
    <ul className="row plot-legend plain small">
      <li>{bucket ? shortMoment(bucket.at) : window}</li>
      {entries.map(([tone, form, name, value]) => (
        <li key={name}>
          <span className={`plot-mark ${form} tone-${tone}`} aria-hidden="true" />
          {name} <strong>{value}</strong>
        </li>
      ))}
    </ul>
  );
}

function took(ms: number | null | undefined): string | false {
  return typeof ms === "number" && duration(ms);
}

const columns: Column<Bucket>[] = [
  column("from", texts.words.from, ({ at }) => (
    <time dateTime={at} title={exactTime(at)}>
      {shortMoment(at)}
    </time>
  )),
  numbers("succeeded", ({ succeeded }) => count(succeeded)),
  numbers("failed", ({ failed }) => count(failed)),
  numbers("cancelled", ({ cancelled }) => count(cancelled)),
  numbers("p50", ({ p50Ms }) => took(p50Ms)),
  numbers("p95", ({ p95Ms }) => took(p95Ms)),
];

function numbers(key: keyof Totals | "p50" | "p95", cell: Column<Bucket>["cell"]): Column<Bucket> {
  return column(key, words[key], cell, { align: "end" });
}

/** The newest bucket comes first. Buckets in which no command ended are left out. */
function CommandTable({ buckets }: { buckets: readonly Bucket[] }) {
  const rows = buckets
    .filter(({ succeeded, failed, cancelled }) => succeeded + failed + cancelled > 0)
    .toReversed();
  return (
    <Table
      name="overview-commands"
      label={words.title}
      columns={columns}
      rows={rows}
      rowKey={({ at }) => at}
    />
  );
}
