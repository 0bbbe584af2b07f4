import type { ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { ChoiceField, TextField } from "../fields/inputs.tsx";
import { useWritten } from "../fields/written.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";

export function Filters({ state, children }: { state: ListState<never>; children: ReactNode }) {
  return (
    <search className="row inline-fields">
      {children}
      {state.isFiltered && (
        <Button kind="quiet" onClick={state.clearFilters}>
          {texts.words.clearFilters}
        </Button>
      )}
    </search>
  );
}

export interface FilterProps<F extends string> {
  state: ListState<F>;
  name: F;
  label: string;
}

/** A text filter that offers `suggestions` but accepts any text. */
export function TextFilter<F extends string>({
  state,
  name,
  label,
  hint,
  suggestions,
}: FilterProps<F> & { hint?: string | undefined; suggestions?: readonly string[] | undefined }) {
  const [text, setText] = useWritten(state.filters[name] ?? "", (next) =>
    state.setFilter(name, next),
  );
  return (
    <TextField
      label={label}
      type="search"
      placeholder={hint}
      suggestions={suggestions?.map((each) => <option key={each} value={each} />)}
      value={text}
      onChange={setText}
    />
  );
}

/** `any` is the text of the option that turns the filter off. */
export function ChoiceFilter<F extends string>({
  state,
  name,
  label,
  options,
  any = texts.words.any,
}: FilterProps<F> & {
  options: readonly (string | readonly [value: string, text: string])[];
  any?: string | undefined;
}) {
  const named = options.map((option) =>
    typeof option === "string" ? ([option, option] as const) : option,
  );
  return (
    <ChoiceField<string>
      label={label}
      value={state.filters[name] ?? ""}
      onChange={(value) => state.setFilter(name, value)}
      options={[["", any], ...named]}
    />
  );
}
