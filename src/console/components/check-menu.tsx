// A menu of checkboxes. A button with `popoverTarget` opens it.

import type { ReactNode } from "react";
import { softBreaks } from "./text/soft-breaks.tsx";
import "./check-menu.css";

interface CheckMenuProps<K extends string> {
  id: string;
  legend: string;
  choices: readonly (readonly [key: K, text: ReactNode])[];
  isChecked: (key: K) => boolean;
  onToggle: (key: K) => void;
}

export function CheckMenu<K extends string>(props: CheckMenuProps<K>) {
  const { id, legend, choices, isChecked, onToggle } = props;
  return (
    <fieldset id={id} popover="auto" className="check-menu floating">
      <legend>{legend}</legend>
      {choices.map(([key, text]) => (
        <label key={key}>
          <input type="checkbox" checked={isChecked(key)} onChange={() => onToggle(key)} />
          {softBreaks(text)}
        </label>
      ))}
    </fieldset>
  );
}
