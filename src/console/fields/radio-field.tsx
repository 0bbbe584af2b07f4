// A choice between a few values that are all visible.

import { type ReactNode, useId } from "react";
import "./radio-field.css";

interface RadioFieldProps<K extends string> {
  legend: string;
  isLegendHidden?: true;
  isInline?: true;
  value: K;
  options: readonly (readonly [value: K, text: ReactNode])[];
  onChange: (value: K) => void;
}

export function RadioField<K extends string>(props: RadioFieldProps<K>) {
  const { legend, isLegendHidden, isInline, value, options, onChange } = props;
  const name = useId();
  return (
    <fieldset className={isInline ? "radio-field radio-field-inline" : "radio-field"}>
      <legend className={isLegendHidden && "visually-hidden"}>{legend}</legend>
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
