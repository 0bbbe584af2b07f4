// What became of commands over time, and how long they ran: as a plot, or as a table for whoever does not
// see one. The window is in the address.

import { lazy, Suspense, useId, useState } from "react";
import { useCall } from "../../../client/queries.ts";
import { Button } from "../../../components/button.tsx";
import { Section } from "../../../components/page.tsx";
import { count } from "../../../format/number.ts";
import { exactTime } from "../../../format/time.ts";
import { useListState } from "../../../lists/list-state.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import type { Bucket, CommandReport, Hours } from "./command-report.ts";
import { CommandTable } from "./command-table.tsx";
import { PlotLegend } from "./plot-legend.tsx";
import { PlotsOr } from "./plots-or.tsx";
import "./commands-over-time.css";

const words = texts.overview.commands;
const windows: readonly Hours[] = [1, 6, 24, 168];
/** The window moves on, also when nothing happens. */
const pace = 60_000;

const CommandPlots = lazy(async () => ({
  default: (await import("./command-plots.tsx")).CommandPlots,
}));

export function CommandsOverTime() {
  const state = useListState(["hours"]);
  const hours = windows.find((each) => String(each) === state.filters.hours) ?? 24;
  const query = useCall("overview.commands", { query: { hours } }, { everyMs: pace });
  const [isTable, setTable] = useState(false);
  return (
    <Section
      title={words.title}
      actions={
        <div className="row">
          <WindowChoice
            hours={hours}
            onChange={(next) => state.setFilter("hours", next === 24 ? "" : String(next))}
          />
          <Button kind="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? words.asPlot : words.asTable}
          </Button>
        </div>
      }
    >
      <div className="card">
        <Loaded query={query}>
          {(report) => <Shown report={report} hours={hours} isTable={isTable} />}
        </Loaded>
      </div>
    </Section>
  );
}

interface ShownProps {
  report: CommandReport;
  hours: Hours;
  isTable: boolean;
}

function Shown({ report, hours, isTable }: ShownProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { buckets, sampleSize, coveredFrom, from } = report;
  const totals = totalsOf(buckets);
  const summary = words.summary(
    count(totals.succeeded),
    count(totals.failed),
    count(totals.cancelled),
  );
  return (
    <>
      {coveredFrom > from && <p className="small">{words.covered(exactTime(coveredFrom))}</p>}
      {sampleSize === 0 && <p className="plot-none muted">{words.none}</p>}
      {sampleSize > 0 && isTable && <CommandTable buckets={buckets} />}
      {sampleSize > 0 && !isTable && (
        <PlotsOr otherwise={<CommandTable buckets={buckets} />}>
          <PlotLegend
            totals={totals}
            bucket={pointed === null ? undefined : buckets[pointed]}
            window={words.windows[hours]}
          />
          <Suspense fallback={<div className="plot-space" />}>
            <CommandPlots
              report={report}
              hours={hours}
              label={(what) => words.plot(what, words.windows[hours], summary)}
              onPoint={setPointed}
            />
          </Suspense>
        </PlotsOr>
      )}
    </>
  );
}

function WindowChoice({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) {
  const id = useId();
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {words.window}
      </label>
      <select
        id={id}
        className="control plot-window"
        value={hours}
        onChange={({ target }) => onChange(Number(target.value) as Hours)}
      >
        {windows.map((each) => (
          <option key={each} value={each}>
            {words.windows[each]}
          </option>
        ))}
      </select>
    </>
  );
}

function totalsOf(buckets: readonly Bucket[]): Pick<Bucket, "succeeded" | "failed" | "cancelled"> {
  const totals = { succeeded: 0, failed: 0, cancelled: 0 };
  for (const { succeeded, failed, cancelled } of buckets) {
    totals.succeeded += succeeded;
    totals.failed += failed;
    totals.cancelled += cancelled;
  }
  return totals;
}
