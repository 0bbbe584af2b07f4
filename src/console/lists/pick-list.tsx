// A field with the options that match its text. It is an editable combobox whose list is always
// open: the focus stays in the field (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import { Check } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { TextField } from "../fields/inputs.tsx";
import "./pick-list.css";

export interface Pick {
  value: string;
  title: string;
  about?: string | undefined;
}

interface PickListProps {
  label: string;
  hint?: string | undefined;
  error?: string | null;
  text: string;
  onText: (text: string) => void;
  options: readonly Pick[];
  /** The value in effect. */
  current?: string | undefined;
  /** The text shown if no option matches. */
  none?: string | null | undefined;
  onPick: (value: string) => void;
  /** Called for Enter while no option is chosen. By default, Enter then picks the first option. */
  onEnter?: () => void;
  onBlur?: () => void;
}

export function PickList(props: PickListProps) {
  const { label, hint, error, text, onText, options, current, none, onPick, onEnter } = props;
  const id = useId();
  const [active, setActive] = useState(-1);
  const idOf = (index: number) => `${id}-${index}`;
  const write = (next: string) => {
    setActive(-1);
    onText(next);
  };
  const pick = (option: Pick | undefined) => {
    setActive(-1);
    if (option) onPick(option.value);
  };
  const move = (to: number) => {
    const next = (to + options.length) % options.length;
    setActive(next);
    document.getElementById(idOf(next))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      if (active < 0 && onEnter) onEnter();
      else pick(options[Math.max(active, 0)]);
    } else if (event.key === "ArrowDown" && options.length > 0) move(active + 1);
    else if (event.key === "ArrowUp" && options.length > 0) move(Math.max(active, 0) - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div className="pick-list">
      <TextField
        label={label}
        isLabelHidden
        error={error}
        placeholder={hint}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active < 0 ? undefined : idOf(active)}
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        onChange={write}
        onKeyDown={onKeyDown}
        onBlur={props.onBlur}
      />
      <div role="listbox" id={`${id}-list`} aria-label={label}>
        {options.map(({ value, title, about }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={value}
            id={idOf(index)}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(options[index])}
          >
            <span className="pick-title">{title}</span>
            {about && <span className="pick-about muted small">{about}</span>}
            {value === current && <Check aria-hidden="true" />}
          </div>
        ))}
      </div>
      {none && (
        <p className="muted small" role="status">
          {none}
        </p>
      )}
    </div>
  );
}
