// Filters above a list. What is written takes effect a moment after the last key.

import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import type { ListState } from "./list-state.ts";

const pauseMs = 250;

export function Filters({ state, children }: { state: ListState<never>; children: ReactNode }) {
  return (
    <search className="filters">
      {children}
      {state.isFiltered && (
        <Button kind="quiet" onClick={state.clearFilters}>
          {texts.words.clearFilters}
        </Button>
      )}
    </search>
  );
}

interface FilterProps<F extends string> {
  state: ListState<F>;
  name: F;
  label: string;
}

export function TextFilter<F extends string>({
  state,
  name,
  label,
  hint,
  type = "search",
}: FilterProps<F> & { hint?: string; type?: "search" | "datetime-local" }) {
  const [text, setText] = useWrittenFilter(state, name);
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type={type}
          placeholder={hint}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Field>
  );
}

/** What is written now; the filter takes it over a moment after the last key. */
export function useWrittenFilter<F extends string>(
  state: ListState<F>,
  name: F,
): [text: string, setText: (text: string) => void] {
  const current = state.filters[name] ?? "";
  const [text, setText] = useState(current);
  // The address may be changed from elsewhere: by a link, or the button that clears.
  const [seen, setSeen] = useState(current);
  if (seen !== current) {
    setSeen(current);
    setText(current);
  }
  const apply = useEffectEvent(() => {
    if (text.trim() !== current) state.setFilter(name, text.trim());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the pause anew
  useEffect(() => {
    const timer = setTimeout(() => apply(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** `options`: what may be chosen beside "Any"; pairs where the words are not the values. */
export function ChoiceFilter<F extends string>({
  state,
  name,
  label,
  options,
}: FilterProps<F> & { options: readonly (string | readonly [value: string, text: string])[] }) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={state.filters[name] ?? ""}
          onChange={(event) => state.setFilter(name, event.target.value)}
        >
          <option value="">{texts.words.any}</option>
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
