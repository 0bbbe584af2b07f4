// A field of a form: its label, hint and error, linked to the control for screen readers.

import { type ReactNode, useId } from "react";
import { Help, type HelpWord } from "../components/help.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { texts } from "../texts/index.ts";
import { useShownError } from "./shown-error.ts";
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
  isLabelHidden?: true | undefined;
  hint?: ReactNode;
  /** The word in the label for which a help button is shown. */
  help?: HelpWord | undefined;
  error?: string | null | undefined;
  required?: boolean;
  children: (control: ControlProps) => ReactNode;
}

export function Field(props: FieldProps) {
  const { label, isLabelHidden, hint, help, error, required = false, children } = props;
  const id = useId();
  const { shown, watch } = useShownError(error ?? null);
  const notes = [hint ? `${id}-hint` : "", shown ? `${id}-error` : ""].filter(Boolean).join(" ");
  const control: ControlProps = { id, className: "control" };
  if (notes) control["aria-describedby"] = notes;
  if (shown) control["aria-invalid"] = true;
  return (
    <div className="field tight" {...watch}>
      <div className={isLabelHidden ? "visually-hidden" : "field-label"}>
        <label htmlFor={id}>
          {softBreaks(label)}
          {required && <span className="muted small"> {texts.words.required}</span>}
        </label>
        {help && <Help of={help} />}
      </div>
      {children(control)}
      {hint && (
        <p id={`${id}-hint`} className="muted small">
          {softBreaks(hint)}
        </p>
      )}
      {shown && (
        <p id={`${id}-error`} className="field-error small">
          {softBreaks(shown)}
        </p>
      )}
    </div>
  );
}
