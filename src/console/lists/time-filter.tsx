// A filter by time. The field shows local time, but the URL contains UTC, so that a link means the
// same time everywhere.

import { TextField } from "../fields/inputs.tsx";
import { useUnfinished } from "../fields/unfinished.ts";
import { useWritten } from "../fields/written.ts";
import { fromLocal, toLocal } from "../format/local-time.ts";
import { texts } from "../texts/index.ts";
import type { FilterProps } from "./filters.tsx";

export function TimeFilter<F extends string>({ state, name, label }: FilterProps<F>) {
  const current = toLocal(state.filters[name] ?? "");
  const [text, setText] = useWritten(current, (next) => state.setFilter(name, fromLocal(next)));
  const { problem, watch } = useUnfinished();
  return (
    <TextField
      {...watch}
      label={label}
      error={problem}
      type="datetime-local"
      title={texts.words.yourTime}
      value={text}
      onChange={setText}
    />
  );
}
