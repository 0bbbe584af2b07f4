// What the cells of the health map mean, with how many there are; each a switch for showing only those.

import { count } from "../../../format/number.ts";
import { texts } from "../../../texts/index.ts";
import { toneOf } from "../../../values/status-badge.tsx";
import { type Status, statuses } from "./map-filter.ts";

interface MapLegendProps {
  counts: Record<Status, number>;
  /** Empty: all. */
  wanted: ReadonlySet<Status>;
  onChange: (wanted: ReadonlySet<Status>) => void;
}

export function MapLegend({ counts, wanted, onChange }: MapLegendProps) {
  const toggle = (status: Status) => {
    const next = new Set(wanted);
    if (!next.delete(status)) next.add(status);
    onChange(next);
  };
  return (
    <fieldset className="map-legend">
      <legend className="small">{texts.overview.map.legend}</legend>
      {statuses.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={wanted.has(status)}
          onClick={() => toggle(status)}
        >
          <span className={cellClass(status)} aria-hidden="true" />
          {status} <strong>{count(counts[status])}</strong>
        </button>
      ))}
    </fieldset>
  );
}

/** The look of a status: a colour, and a sign for whoever does not see it. */
export function cellClass(status: Status): string {
  return `map-cell map-${status.toLowerCase()} tone-${toneOf(status)}`;
}
