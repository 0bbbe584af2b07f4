// What the plots' colours and lines mean, with the numbers of the bucket under the pointer, or of all.

import { count } from "../../../format/number.ts";
import { duration, shortMoment } from "../../../format/time.ts";
import { texts } from "../../../texts/index.ts";
import type { Tone } from "../../../values/status-badge.tsx";
import type { Bucket } from "./command-report.ts";

const words = texts.overview.commands;

interface PlotLegendProps {
  totals: Pick<Bucket, "succeeded" | "failed" | "cancelled">;
  bucket: Bucket | undefined;
  /** In words. */
  window: string;
}

export function PlotLegend({ totals, bucket, window }: PlotLegendProps) {
  const { succeeded, failed, cancelled } = bucket ?? totals;
  const entries: [tone: Tone, form: string, name: string, value: string | null][] = [
    ["good", "", words.succeeded, count(succeeded)],
    ["bad", "", words.failed, count(failed)],
    ["idle", "", words.cancelled, count(cancelled)],
    ["busy", "plot-mark-line", words.p50, took(bucket?.p50Ms)],
    ["unsure", "plot-mark-line plot-mark-dashed", words.p95, took(bucket?.p95Ms)],
  ];
  return (
    <ul className="plot-legend">
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

/** Of all together nobody has added up how long they took. */
function took(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : duration(ms);
}
