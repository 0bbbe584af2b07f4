// The form's controls for single values.

import { type ReactNode, useState } from "react";
import type { Choice, Field as FormField } from "../../../../domain/form/form.ts";
import { emptyValue, numberIn } from "../../../../domain/form/values.ts";
import type { Json } from "../../../../domain/payload/json.ts";
import { isExact } from "../../../../lib/json/exact-numbers.ts";
import { jsonEqual } from "../../../../lib/json/json-equal.ts";
import { Field } from "../../../fields/field.tsx";
import { useUnfinished } from "../../../fields/unfinished.ts";
import { fromLocal, toLocal } from "../../../format/local-time.ts";
import { sentences } from "../../../format/sentences.ts";
import { texts } from "../../../texts/index.ts";
import { choiceLabel, hintOf } from "./form-words.ts";

const words = texts.schemaForm;

export interface ControlProps {
  field: FormField;
  label: string;
  value: Json | undefined;
  error: string | null;
  /** Called with undefined to remove the value. */
  onChange: (value: Json | undefined) => void;
}

export function ValueControl(props: ControlProps) {
  const { field } = props;
  switch (field.kind) {
    case "choice":
      return <Select {...props} choices={field.choices} />;
    case "flag":
      return <Checkbox {...props} />;
    case "text":
    case "number":
      return field.keywords.format === "textarea" ? <Lines {...props} /> : <Input {...props} />;
    case "fixed":
      return <Fixed {...props} value={field.value} />;
    default:
      return <JsonOnly {...props} />;
  }
}

type Control = Parameters<Parameters<typeof Field>[0]["children"]>[0];

function Labelled(
  props: Omit<ControlProps, "onChange" | "value"> & { children: (control: Control) => ReactNode },
) {
  const { field, label, error, children } = props;
  return (
    <Field label={label} hint={hintOf(field)} error={error} required={field.required}>
      {(control) => children({ ...control, ...(field.required ? { "aria-required": true } : {}) })}
    </Field>
  );
}

const inputTypes: Readonly<Record<string, string>> = {
  date: "date",
  "date-time": "datetime-local",
  time: "time",
  email: "email",
  uri: "url",
};

function Input(props: ControlProps) {
  const { field, value, error, onChange } = props;
  const { problem, watch } = useUnfinished();
  const { format, placeholder } = field.keywords;
  const isNumber = field.kind === "number";
  const type = isNumber ? "text" : (inputTypes[String(format)] ?? "text");
  /** The text as the user typed it. It is shown as long as it represents the current value. */
  const [typed, setTyped] = useState("");
  const { show, read } = isNumber ? asNumber : (conversions[type] ?? asIs);
  const shown = read(typed) === value ? typed : isNothing(value) ? "" : show(value);
  return (
    <Labelled {...props} error={problem ?? error}>
      {(control) => (
        <input
          {...control}
          {...watch}
          type={field.secret ? "password" : type}
          inputMode={isNumber ? "decimal" : undefined}
          autoComplete={field.secret ? "new-password" : "off"}
          placeholder={typeof placeholder === "string" ? placeholder : undefined}
          readOnly={field.readOnly}
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(read(target.value) ?? emptyValue(field));
          }}
        />
      )}
    </Labelled>
  );
}

interface Conversion {
  show: (value: Json) => string;
  read: (text: string) => Json | undefined;
}

const asIs: Conversion = {
  show: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
  read: (text) => text || undefined,
};

/**
 * Numbers are entered as text, because a browser's number field silently drops characters that it
 * does not accept: "12,50" becomes 1250.
 */
const asNumber: Conversion = {
  show: asIs.show,
  read: (text) => {
    const value = numberIn(text);
    if (value !== null && isExact(value)) return value;
    return text.trim() === "" ? undefined : text;
  },
};

const conversions: Readonly<Record<string, Conversion>> = {
  "datetime-local": {
    show: (value) => toLocal(String(value)),
    read: (text) => fromLocal(text) || undefined,
  },
  time: {
    show: (value) => String(value).replace(/^(\d{2}:\d{2}):00$/, "$1"),
    read: (text) => (/^\d{2}:\d{2}$/.test(text) ? `${text}:00` : text || undefined),
  },
};

/** Hides a secret of several lines. A password field has only one line. */
const unseen = { className: "control unseen", autoComplete: "off", spellCheck: false };

function Lines(props: ControlProps) {
  const { field, value, onChange } = props;
  const { placeholder } = field.keywords;
  return (
    <Labelled {...props}>
      {(control) => (
        <textarea
          {...control}
          {...(field.secret ? unseen : {})}
          placeholder={typeof placeholder === "string" ? placeholder : undefined}
          readOnly={field.readOnly}
          value={isNothing(value) ? "" : asIs.show(value)}
          onChange={({ target }) => onChange(target.value || emptyValue(field))}
        />
      )}
    </Labelled>
  );
}

function Select(props: ControlProps & { choices: readonly Choice[] }) {
  const { field, choices, value, onChange } = props;
  const current = choices.findIndex((choice) => jsonEqual(choice.value, value));
  return (
    <Labelled {...props}>
      {(control) => (
        <select
          {...control}
          disabled={field.readOnly}
          value={current}
          onChange={({ target }) => onChange(choices[Number(target.value)]?.value)}
        >
          {(current < 0 || !field.required) && (
            <option value={-1}>{field.required ? words.choose : ""}</option>
          )}
          {choices.map((choice, index) => (
            <option key={JSON.stringify(choice.value)} value={index}>
              {choiceLabel(choice)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Checkbox(props: ControlProps) {
  const { field, label, value, error, onChange } = props;
  return (
    <Field label={label} hint={hintOf(field)} error={error}>
      {({ className: _box, ...control }) => (
        <input
          {...control}
          type="checkbox"
          disabled={field.readOnly}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </Field>
  );
}

function Fixed(props: ControlProps) {
  const { field, value } = props;
  return (
    <Labelled {...props}>
      {(control) => (
        <input
          {...control}
          type={field.secret ? "password" : "text"}
          readOnly
          value={value === undefined ? "" : asIs.show(value)}
        />
      )}
    </Labelled>
  );
}

function JsonOnly({ field, label, error }: ControlProps) {
  return (
    <div className="field tight">
      <span className="form-label">{label}</span>
      <p className="muted small">{sentences([hintOf(field), words.jsonOnly])}</p>
      {error && <p className="field-error small">{error}</p>}
    </div>
  );
}

function isNothing(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}
