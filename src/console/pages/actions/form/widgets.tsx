// The form's controls and the notes below them.

import { getInputProps, type RJSFSchema, type WidgetProps } from "@rjsf/utils";
import { isJsonObject, type JsonObject } from "../../../../domain/payload/json.ts";
import { isMarkedSecret } from "../../../../domain/secrecy.ts";
import { useUnfinished } from "../../../fields/unfinished.ts";
import { texts } from "../../../texts/index.ts";
import { hintsOf, noteIds, noteProps } from "./field-notes.ts";

const words = texts.schemaForm;

/** The attributes that most controls have. */
function controlProps({ id, schema, rawErrors, required, disabled }: WidgetProps) {
  const notes = noteProps(id, schema, rawErrors);
  const isRequired = required || undefined;
  return { id, name: id, className: "control", ...notes, "aria-required": isRequired, disabled };
}

/** The choices with the labels that the schema has for them. A list has those of its items. */
function choicesOf({ schema, options }: WidgetProps) {
  const { items } = schema as { items?: unknown };
  const { enumLabels } = (isJsonObject(items) ? items : schema) as { enumLabels?: string[] };
  return (options.enumOptions ?? []).map((choice, at) => ({
    ...choice,
    label: enumLabels?.[at] ?? choice.label,
  }));
}

/**
 * Numbers are entered as text, because a browser's number field silently drops characters that it
 * does not accept: "12,50" becomes 1250.
 */
export function BaseInput(props: WidgetProps) {
  const { id, schema, type, options, value, onChange, onChangeOverride } = props;
  const { type: usual, step, min, max } = getInputProps(schema, type, options);
  const { problem, watch } = useUnfinished();
  const secret = isMarkedSecret(schema as JsonObject);
  const isNumber = schema.type === "number" || schema.type === "integer";
  const control = controlProps(props);
  const problemId = `${id}-unfinished`;
  const unfinished = problem && {
    "aria-invalid": true,
    "aria-describedby": [control["aria-describedby"], problemId].filter(Boolean).join(" "),
  };
  return (
    <>
      <input
        {...control}
        {...unfinished}
        {...watch}
        type={secret ? "password" : isNumber ? "text" : usual}
        {...(isNumber ? { inputMode: "decimal" } : { step, min, max })}
        autoComplete={secret ? "new-password" : "off"}
        placeholder={schema.placeholder}
        readOnly={props.readonly || schema.const !== undefined}
        value={value ?? schema.const ?? ""}
        onChange={onChangeOverride ?? (({ target }) => onChange(target.value || undefined))}
      />
      {problem && <Note id={problemId} text={problem} isError />}
    </>
  );
}

/** A password field cannot have several lines. */
const unseen = { className: "control unseen", autoComplete: "off", spellCheck: false } as const;

export function Textarea(props: WidgetProps) {
  return (
    <textarea
      {...controlProps(props)}
      {...(isMarkedSecret(props.schema as JsonObject) ? unseen : {})}
      placeholder={props.schema.placeholder}
      readOnly={props.readonly}
      value={props.value ?? ""}
      onChange={({ target }) => props.onChange(target.value || undefined)}
    />
  );
}

export function Select(props: WidgetProps) {
  if (props.multiple) return <Checkboxes {...props} />;
  const { id, value, required, label, rawErrors = [], onChange } = props;
  const choices = choicesOf(props);
  const current = choices.findIndex((choice) => sameValue(choice.value, value));
  // The control that chooses between kinds has no field with a label around it.
  const isKind = /__(one|any)of_select$/.test(id);
  const control = (
    <select
      {...controlProps(props)}
      disabled={props.disabled || props.readonly}
      value={current}
      onChange={({ target }) => onChange(choices[Number(target.value)]?.value)}
    >
      {(current < 0 || (!required && !isKind)) && (
        <option value={-1}>{required || isKind ? words.choose : ""}</option>
      )}
      {choices.map((choice, index) => (
        <option key={JSON.stringify(choice.value)} value={index}>
          {choice.label}
        </option>
      ))}
    </select>
  );
  if (!isKind) return control;
  return (
    <div className="field tight">
      <label htmlFor={id}>{label ? `${label}${texts.words.colon}${words.kind}` : words.kind}</label>
      {control}
      <Errors id={id} errors={rawErrors} />
    </div>
  );
}

export function Checkbox(props: WidgetProps) {
  const { id, schema, label, value, onChange } = props;
  return (
    <label className="form-check">
      <input
        id={id}
        name={id}
        type="checkbox"
        {...noteProps(id, schema, props.rawErrors)}
        disabled={props.disabled || props.readonly || schema.const !== undefined}
        checked={(value ?? schema.const) === true}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

/** Selects any number of the values, each at most once. */
export function Checkboxes(props: WidgetProps) {
  const { id, schema, value, label, onChange } = props;
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const choices = choicesOf(props);
  const isChosen = (choice: { value: unknown }) =>
    chosen.some((each) => sameValue(each, choice.value));
  const toggle = (choice: { value: unknown }) =>
    choices.filter((each) => isChosen(each) !== (each === choice)).map((each) => each.value);
  return (
    <fieldset
      id={id}
      className="form-checks plain"
      aria-label={label}
      {...noteProps(id, schema, [])}
    >
      {choices.map((choice) => (
        <label key={JSON.stringify(choice.value)} className="form-check">
          <input
            type="checkbox"
            checked={isChosen(choice)}
            disabled={props.disabled || props.readonly}
            onChange={() => onChange(toggle(choice))}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}

export function Required() {
  return <span className="muted small"> {texts.words.required}</span>;
}

export function Hints({ id, schema }: { id: string; schema: RJSFSchema }) {
  return <Note id={noteIds.hint(id)} text={hintsOf(schema).join(" ")} />;
}

export function Errors({ id, errors }: { id: string; errors: readonly string[] }) {
  return <Note id={noteIds.error(id)} text={errors.join(" ")} isError />;
}

function Note({ id, text, isError }: { id: string; text: string; isError?: true }) {
  if (text === "") return null;
  return (
    <p id={id} className={isError ? "field-error small" : "muted small"}>
      {text}
    </p>
  );
}
