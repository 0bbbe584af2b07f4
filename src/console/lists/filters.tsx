import { ChevronDown, ListFilter } from "lucide-react";
import { Fragment, type ReactNode, useId, useState } from "react";
import { Button } from "../components/button.tsx";
import { CheckMenu } from "../components/check-menu.tsx";
import { ChoiceField, TextField } from "../fields/inputs.tsx";
import { useDelayedText } from "../fields/use-delayed-text.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";
import "./filters.css";

interface FiltersProps {
  state: ListState<never>;
  /** How many filters are set. */
  active: number;
  /** Buttons for a filtered list. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * Narrow screens show the filters only when the user opens them. The buttons are below the fields, so
 * that the fields do not move when the first filter is set.
 */
export function Filters({ state, active, actions, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search className="filters">
      <div className="filters-button">
        <Button
          icon={<ListFilter />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.words.filters({ active })}
        </Button>
      </div>
      <div id={id} className="row inline-fields" data-open={isOpen}>
        {children}
      </div>
      <div className="row filter-actions">
        {state.isFiltered && (
          <Button kind="quiet" onClick={state.clearFilters}>
            {texts.words.clearFilters}
          </Button>
        )}
        {actions}
      </div>
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
  error,
  suggestions,
}: FilterProps<F> & {
  hint?: string | undefined;
  error?: string | null;
  suggestions?: readonly string[] | undefined;
}) {
  const [text, setText] = useDelayedText(state.filters[name] ?? "", (next) =>
    state.setFilter(name, next),
  );
  return (
    <TextField
      label={label}
      error={error}
      type="search"
      placeholder={hint}
      suggestions={suggestions?.map((each) => <option key={each} value={each} />)}
      value={text}
      onChange={setText}
    />
  );
}

/** Several values, of which a row must have one. */
export function SeveralFilter<F extends string>({
  state,
  name,
  label,
  choices,
}: FilterProps<F> & { choices: readonly (readonly [value: string, text: ReactNode])[] }) {
  const id = useId();
  const given = state.filters[name]?.split(",") ?? [];
  const chosen = choices.filter(([value]) => given.includes(value));
  const toggle = (value: string) => {
    const isOn = (each: string) => given.includes(each) !== (each === value);
    const next = choices.map(([each]) => each).filter(isOn);
    state.setFilter(name, next.length < choices.length ? next.join(",") : "");
  };
  return (
    <div className="field">
      <label id={`${id}-label`} htmlFor={`${id}-button`}>
        {label}
      </label>
      <button
        type="button"
        id={`${id}-button`}
        className="control several-filter"
        popoverTarget={id}
        aria-labelledby={`${id}-label ${id}-value`}
      >
        <span id={`${id}-value`}>
          {chosen.length === 0 && texts.words.any}
          {chosen.map(([value, text], at) => (
            <Fragment key={value}>
              {at > 0 && texts.words.comma}
              {text}
            </Fragment>
          ))}
        </span>
        <ChevronDown aria-hidden="true" />
      </button>
      <CheckMenu
        id={id}
        legend={label}
        choices={choices}
        isChecked={(value) => given.includes(value)}
        onToggle={toggle}
      />
    </div>
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
