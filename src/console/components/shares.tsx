// A bar divided into shares, one for each state that occurs. A text beside the bar has the numbers,
// so screen readers skip the bar.

import { toneOf } from "../format/status.ts";
import "./shares.css";

interface SharesProps<S extends string> {
  /** In the order in which the bar shows them. */
  states: readonly S[];
  counts: Readonly<Record<S, number>>;
}

export function Shares<S extends string>({ states, counts }: SharesProps<S>) {
  return (
    <div className="shares" aria-hidden="true">
      {states
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <span
            key={state}
            className={`share-${state.toLowerCase()} tone-${toneOf(state)}`}
            style={{ flexGrow: counts[state] }}
          />
        ))}
    </div>
  );
}
