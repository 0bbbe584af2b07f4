// A field for labels, one in each line: `env=prod`.

import { texts } from "../texts/index.ts";
import { Field, type FieldProps } from "./field.tsx";

type Labels = Readonly<Record<string, string>>;

interface LabelsFieldProps extends Omit<FieldProps, "children" | "required"> {
  value: string;
  onChange: (text: string) => void;
}

export function LabelsField({ label, hint, error, value, onChange }: LabelsFieldProps) {
  const bad = lines(value).find((line) => line.indexOf("=") < 1);
  const problem = bad === undefined ? null : texts.labels.notALabel({ line: bad });
  return (
    <Field label={label} hint={hint} error={problem ?? error}>
      {(control) => (
        <textarea
          {...control}
          rows={4}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Returns null if any line is not a label. */
export function labelsIn(text: string): Labels | null {
  const pairs = lines(text).map((line): [string, string] => {
    const equals = line.indexOf("=");
    return [line.slice(0, Math.max(equals, 0)), line.slice(equals + 1)];
  });
  return pairs.every(([key]) => key !== "") ? Object.fromEntries(pairs) : null;
}

export function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join("\n");
}

function lines(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}
