// Edits an action's payload as a form or as JSON.

import { lazy, useMemo, useState } from "react";
import { Boundary } from "../../components/boundary.tsx";
import { Alert } from "../../components/failure.tsx";
import { Segments } from "../../components/segments.tsx";
import { Field } from "../../fields/field.tsx";
import { texts } from "../../texts/index.ts";
import { JsonView } from "../../values/json-view.tsx";
import { planForm } from "./form/form-schema.ts";
import { shownPayload } from "./form/hidden-secrets.ts";
import { readPayload, type Written, writePayload } from "./form/json-text.ts";
import type { FieldIssue } from "./form/payload-issues.ts";
import type { SchemaFormProps } from "./form/schema-form.tsx";

const words = texts.schemaForm;

const SchemaForm = lazy(async () => ({
  default: (await import("./form/schema-form.tsx")).SchemaForm,
}));

/** Suspends until the form is loaded. */
export function PayloadEditor(props: SchemaFormProps) {
  const { id, schema, payload, issues, onChange, onSubmit } = props;
  /** The payload when the form was opened. Editing it as JSON can make it too large for a form. */
  const [opened, setOpened] = useState(payload);
  const plan = useMemo(() => planForm(schema, opened), [schema, opened]);
  const [isBroken, setBroken] = useState(false);
  const [view, setView] = useState<"form" | "json">("form");
  /** The text is separate from the payload, because it is not always valid JSON. */
  const [edited, setEdited] = useState<Written | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const hasNoFields = plan.refused === "noObject";
  const refused = plan.refused === "tooLarge" ? "tooLarge" : isBroken ? "broken" : null;
  const shown = refused === null ? view : "json";
  const written = useMemo(() => edited ?? writePayload(payload, schema), [edited, payload, schema]);
  const show = (next: "form" | "json") => {
    const read = readPayload(written);
    if (next === "form" && read.problem !== undefined) {
      setProblem(`${read.problem} ${words.mendJson}`);
      return;
    }
    setProblem(null);
    setOpened(payload);
    setView(next);
    setEdited(next === "json" ? written : null);
  };
  const write = (text: string) => {
    const next = { ...written, text };
    setView("json");
    setEdited(next);
    setProblem(null);
    const read = readPayload(next);
    if (read.payload) onChange(read.payload);
  };
  const errors = issues.map(toLine).join(" ") || null;
  const send = () => {
    const read = readPayload(written);
    if (read.payload) onSubmit(read.payload);
    else setProblem(read.problem);
  };

  return (
    <div className="payload-editor">
      {refused === null ? (
        <Segments
          label={words.view}
          choices={[
            ["form", words.form],
            ["json", words.asJson],
          ]}
          current={shown}
          onChoose={show}
        />
      ) : (
        <p className="muted">{words.noForm[refused]}</p>
      )}
      {shown === "form" && hasNoFields ? (
        <form
          id={id}
          className="stack tight"
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit(payload);
          }}
        >
          <p className="muted">{words.noForm.noObject}</p>
          {Object.keys(payload).length > 0 && (
            <JsonView value={shownPayload(payload, schema)} label={texts.words.payload} />
          )}
          {errors && <Alert text={errors} />}
        </form>
      ) : shown === "form" && plan.schema ? (
        // If an agent's schema breaks the form, the payload can still be entered as JSON.
        <Boundary onFailed={() => setBroken(true)}>
          <SchemaForm {...props} schema={plan.schema} />
        </Boundary>
      ) : (
        <form
          id={id}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <Field
            label={texts.words.payload}
            hint={written.secrets.length > 0 ? words.hiddenHint : words.jsonHint}
            error={problem ?? errors}
          >
            {(control) => (
              <textarea
                {...control}
                rows={hasNoFields ? 4 : 14}
                spellCheck={false}
                value={written.text}
                onChange={({ target }) => write(target.value)}
                onBlur={() => setProblem(readPayload(written).problem ?? null)}
              />
            )}
          </Field>
        </form>
      )}
    </div>
  );
}

function toLine({ path, message }: FieldIssue): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}
