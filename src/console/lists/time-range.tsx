// Filters a list by time: a span that ends now, or a start and an end.

import { useState } from "react";
import { TextField } from "../fields/inputs.tsx";
import { RadioField } from "../fields/radio-field.tsx";
import { useUnfinished } from "../fields/unfinished.ts";
import { useDelayedText } from "../fields/use-delayed-text.ts";
import { fromLocal, toLocal } from "../format/local-time.ts";
import { ownTimeZone } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";
import { isTimeSpan, timeSpans } from "./time-spans.ts";

const words = texts.timeRange;

export function TimeRange({ state }: { state: ListState<string> }) {
  const { from = "", to = "" } = state.filters;
  const [isOpen, setOpen] = useState(false);
  const span = to === "" && isTimeSpan(from) ? from : undefined;
  const value = span ?? (from || to || isOpen ? "other" : "any");
  const choose = (next: typeof value) => {
    setOpen(next === "other");
    // The field initially shows the start of the span.
    const start = next === "other" ? (state.asked.from ?? "") : next === "any" ? "" : next;
    state.setFilters({ from: start, to: "" });
  };
  return (
    <>
      <RadioField
        legend={words.label}
        isLegendHidden
        value={value}
        onChange={choose}
        options={(["any", ...timeSpans, "other"] as const).map((each) => [
          each,
          words.choices[each],
        ])}
      />
      {value === "other" && (
        <>
          <OneTime state={state} name="from" label={texts.words.from} />
          <OneTime state={state} name="to" label={texts.words.to} />
          <span className="muted small">{words.zone({ zone: ownTimeZone() })}</span>
        </>
      )}
    </>
  );
}

interface OneTimeProps {
  state: ListState<string>;
  name: "from" | "to";
  label: string;
}

/** The URL contains the time in UTC, so that a link means the same time everywhere. */
function OneTime({ state, name, label }: OneTimeProps) {
  const current = toLocal(state.asked[name] ?? "");
  const [text, setText] = useDelayedText(current, (next) => state.setFilter(name, fromLocal(next)));
  const { problem, watch } = useUnfinished();
  return (
    <TextField
      {...watch}
      label={label}
      error={problem}
      type="datetime-local"
      value={text}
      onChange={setText}
    />
  );
}
