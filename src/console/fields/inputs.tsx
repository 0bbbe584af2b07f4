import { type ComponentProps, type ReactNode, useId } from "react";
import { Field, type FieldProps } from "./field.tsx";

interface InputProps<V> extends Omit<FieldProps, "children"> {
  value: V;
  onChange: (value: V) => void;
}

type TextFieldProps = InputProps<string> &
  Omit<ComponentProps<"input">, keyof InputProps<string>> & {
    /** The options that the field offers. The field also accepts any other text. */
    suggestions?: ReactNode;
  };

export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, hint, help, error, required = false, ...input } = props;
  const { onChange, suggestions, ...rest } = input;
  const list = useId();
  return (
    <Field {...{ label, isLabelHidden, hint, help, error, required }}>
      {(control) => (
        <>
          <input
            autoComplete="off"
            required={required}
            list={suggestions ? list : undefined}
            {...rest}
            {...control}
            onChange={({ target }) => onChange(target.value)}
          />
          {suggestions && <datalist id={list}>{suggestions}</datalist>}
        </>
      )}
    </Field>
  );
}

interface LinesFieldProps
  extends InputProps<string>,
    Pick<ComponentProps<"textarea">, "rows" | "onBlur"> {
  /** Whether the text is prose. Otherwise, it is code. */
  isProse?: true;
}

/** A field of several lines. */
export function LinesField(props: LinesFieldProps) {
  const { value, onChange, rows, onBlur, isProse = false, ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          className={isProse ? "control prose" : "control"}
          rows={rows}
          spellCheck={isProse}
          required={field.required}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

interface ChoiceFieldProps<V extends string> extends InputProps<V> {
  options: readonly (readonly [value: V, text: string])[];
}

export function ChoiceField<V extends string>(props: ChoiceFieldProps<V>) {
  const { value, onChange, options, ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          required={field.required}
          value={value}
          onChange={({ target }) => onChange(target.value as V)}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({ value, onChange, ...field }: InputProps<boolean>) {
  return (
    <Field {...field}>
      {({ className: _box, ...control }) => (
        <input
          {...control}
          type="checkbox"
          checked={value}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </Field>
  );
}
