// The legend of cells. Each state in it is a button that filters the cells.

import { count } from "../../format/number.ts";
import { StatusWord } from "../../values/status-badge.tsx";
import { cellClass } from "./cell-field.tsx";

interface CellLegendProps<S extends string> {
  legend: string;
  states: readonly S[];
  counts: Readonly<Record<S, number>>;
  /** An empty set means all states. */
  wanted: ReadonlySet<S>;
  onChange: (wanted: ReadonlySet<S>) => void;
}

export function CellLegend<S extends string>(props: CellLegendProps<S>) {
  const { legend, states, counts, wanted, onChange } = props;
  const toggle = (state: S) => {
    const next = new Set(wanted);
    if (!next.delete(state)) next.add(state);
    onChange(next);
  };
  return (
    <fieldset className="row map-legend">
      <legend className="visually-hidden">{legend}</legend>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          className="button"
          aria-pressed={wanted.has(state)}
          onClick={() => toggle(state)}
        >
          <span className={cellClass(state)} aria-hidden="true" />
          <StatusWord status={state} /> <strong>{count(counts[state])}</strong>
        </button>
      ))}
    </fieldset>
  );
}

/** Returns the states that a filter in the URL names. */
export function statesIn<S extends string>(states: readonly S[], text: string): ReadonlySet<S> {
  const named = text.split(",");
  return new Set(states.filter((state) => named.includes(state)));
}
