// The controls of the form, in the console's own look.

import { getInputProps, type WidgetProps } from "@rjsf/utils";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { isMarkedSecret } from "../../../../domain/payload/schema-form.ts";
import { useUnfinished } from "../../../fields/unfinished.ts";
import { texts } from "../../../texts/index.ts";
import { noteIds, noteProps } from "./field-notes.ts";

const words = texts.schemaForm;

/**
 * Texts, numbers, dates. Numbers are texts, too: a browser's own field for them leaves out what it does
 * not take, and makes 1250 of "12,50" without a word.
 */
export function BaseInput(props: WidgetProps) {
  const { id, schema, type, options, value, required, onChange, onChangeOverride } = props;
  const { type: usual, step, min, max } = getInputProps(schema, type, options);
  const { problem, watch } = useUnfinished();
  const secret = isMarkedSecret(schema as JsonObject);
  const isNumber = schema.type === "number" || schema.type === "integer";
  const notes = noteProps(id, schema, props.rawErrors);
  const problemId = `${id}-unfinished`;
  const unfinished = problem && {
    "aria-invalid": true,
    "aria-describedby": [notes["aria-describedby"], problemId].filter(Boolean).join(" "),
  };
  return (
    <>
      <input
        id={id}
        name={id}
        className="control"
        {...notes}
        {...unfinished}
        {...watch}
        type={secret ? "password" : isNumber ? "text" : usual}
        {...(isNumber ? { inputMode: "decimal" } : { step, min, max })}
        autoComplete={secret ? "new-password" : "off"}
        aria-required={required || undefined}
        readOnly={props.readonly || schema.const !== undefined}
        disabled={props.disabled}
        value={value ?? schema.const ?? ""}
        onChange={
          onChangeOverride ??
          (({ target }) => onChange(target.value === "" ? undefined : target.value))
        }
      />
      {problem && (
        <p id={problemId} className="field-error small">
          {problem}
        </p>
      )}
    </>
  );
}

export function Textarea(props: WidgetProps) {
  const { id, schema, value, required, readonly, disabled, onChange } = props;
  return (
    <textarea
      id={id}
      name={id}
      className="control"
      {...noteProps(id, schema, props.rawErrors)}
      aria-required={required || undefined}
      readOnly={readonly}
      disabled={disabled}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    />
  );
}

export function Select(props: WidgetProps) {
  if (props.multiple) return <Checkboxes {...props} />;
  const { id, schema, options, value, required, label, rawErrors = [], onChange } = props;
  const choices = options.enumOptions ?? [];
  const current = choices.findIndex((choice) => sameValue(choice.value, value));
  // The choice between kinds has no field around it that would name it.
  const isKind = /__(one|any)of_select$/.test(id);
  const control = (
    <select
      id={id}
      name={id}
      className="control"
      {...noteProps(id, schema, rawErrors)}
      aria-required={required || undefined}
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
    <div className="field">
      <label htmlFor={id}>{label ? `${label}: ${words.kind}` : words.kind}</label>
      {control}
      {rawErrors.length > 0 && (
        <p id={noteIds.error(id)} className="field-error small">
          {rawErrors.join(" ")}
        </p>
      )}
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

/** A list of some of these values, each at most once. */
export function Checkboxes(props: WidgetProps) {
  const { id, schema, options, value, label, onChange } = props;
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const choices = options.enumOptions ?? [];
  return (
    <fieldset id={id} className="form-checks" aria-label={label} {...noteProps(id, schema, [])}>
      {choices.map((choice) => {
        const isChosen = chosen.some((each) => sameValue(each, choice.value));
        const next = () =>
          choices
            .map((each) => each.value)
            .filter((each) =>
              sameValue(each, choice.value)
                ? !isChosen
                : chosen.some((other) => sameValue(other, each)),
            );
        return (
          <label key={JSON.stringify(choice.value)} className="form-check">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={props.disabled || props.readonly}
              onChange={() => onChange(next())}
            />
            {choice.label}
          </label>
        );
      })}
    </fieldset>
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
