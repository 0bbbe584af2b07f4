import { ListFilter } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "../components/button.tsx";
import { ChoiceField, TextField } from "../fields/inputs.tsx";
import { useDelayedText } from "../fields/use-delayed-text.ts";
import { texts } from "../texts/index.ts";
import type { ListState } from "./list-state.ts";
import "./filters.css";

interface FiltersProps {
  state: ListState<never>;
  /** How many filters are set. */
  active: number;
  children: ReactNode;
}

/** Narrow screens show the filters only when the user opens them. */
export function Filters({ state, active, children }: FiltersProps) {
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
        {state.isFiltered && (
          <Button kind="quiet" onClick={state.clearFilters}>
            {texts.words.clearFilters}
          </Button>
        )}
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
  suggestions,
}: FilterProps<F> & { hint?: string | undefined; suggestions?: readonly string[] | undefined }) {
  const [text, setText] = useDelayedText(state.filters[name] ?? "", (next) =>
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
