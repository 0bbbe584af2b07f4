// A field of a form: its label, hint and error, linked to the control for screen readers.

import { type ReactNode, useId } from "react";
import { texts } from "../texts/index.ts";
import "./field.css";

/** Spread these into the control. */
interface ControlProps {
  id: string;
  className: "control";
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, required = false, children }: FieldProps) {
  const id = useId();
  const notes = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  const control: ControlProps = { id, className: "control" };
  if (notes) control["aria-describedby"] = notes;
  if (error) control["aria-invalid"] = true;
  return (
    <div className="field tight">
      <label htmlFor={id}>
        {label}
        {required && <span className="muted small"> {texts.words.required}</span>}
      </label>
      {children(control)}
      {hint && (
        <p id={`${id}-hint`} className="muted small">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error small">
          {error}
        </p>
      )}
    </div>
  );
}
