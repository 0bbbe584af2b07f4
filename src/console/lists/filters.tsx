import { type ReactNode, useId } from "react";
import { Button } from "../components/button.tsx";
import { Field } from "../fields/field.tsx";
import { useWritten } from "../fields/written.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";

export function Filters({ state, children }: { state: ListState<never>; children: ReactNode }) {
  return (
    <search className="row filters inline-fields">
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
  const list = useId();
  return (
    <Field label={label}>
      {(control) => (
        <>
          <input
            {...control}
            type="search"
            placeholder={hint}
            list={suggestions && list}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
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
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={state.filters[name] ?? ""}
          onChange={(event) => state.setFilter(name, event.target.value)}
        >
          <option value="">{any}</option>
          {options.map((option) => {
            const [value, text] = typeof option === "string" ? [option, option] : option;
            return (
              <option key={value} value={value}>
                {text}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}
