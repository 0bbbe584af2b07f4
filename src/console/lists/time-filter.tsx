// A filter by a moment: the reader's own time in the field, ISO 8601 in the address, so that a link means
// the same moment everywhere.

import { Field } from "../fields/field.tsx";
import { useUnfinished } from "../fields/unfinished.ts";
import { useWritten } from "../fields/written.ts";
import { fromLocal, toLocal } from "../format/local-time.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";

interface TimeFilterProps<F extends string> {
  state: ListState<F>;
  name: F;
  label: string;
}

export function TimeFilter<F extends string>({ state, name, label }: TimeFilterProps<F>) {
  const current = toLocal(state.filters[name] ?? "");
  const [text, setText] = useWritten(current, (next) => state.setFilter(name, fromLocal(next)));
  const { problem, watch } = useUnfinished();
  return (
    <Field label={label} error={problem}>
      {(control) => (
        <input
          {...control}
          {...watch}
          type="datetime-local"
          title={texts.words.yourTime}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Field>
  );
}
