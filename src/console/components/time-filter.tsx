// A filter by a moment: the reader's own time in the field, the exact one in the address.

import { localInput, momentOf } from "../format/time.ts";
import { TextFilter } from "./filters.tsx";
import type { ListState } from "./list-state.ts";

interface TimeFilterProps<F extends string> {
  state: ListState<F>;
  name: F;
  label: string;
}

export function TimeFilter<F extends string>({ state, name, label }: TimeFilterProps<F>) {
  const moment = state.filters[name];
  const filters = { ...state.filters, [name]: moment === undefined ? "" : localInput(moment) };
  const inField: ListState<F> = {
    ...state,
    filters,
    setFilter: (of, text) => state.setFilter(of, momentOf(text) ?? ""),
  };
  return <TextFilter state={inField} name={name} label={label} type="datetime-local" />;
}
