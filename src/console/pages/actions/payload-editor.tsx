// Edits an action's payload as a form or as JSON.

import { useMemo, useState } from "react";
import { isGroup } from "../../../domain/form/form.ts";
import { readForm } from "../../../domain/form/read-form.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { secretMarks, shownPayload } from "../../../domain/secrets/hidden.ts";
import { Boundary } from "../../components/boundary.tsx";
import { Alert } from "../../components/failure.tsx";
import { Segments } from "../../components/segments.tsx";
import { LinesField } from "../../fields/inputs.tsx";
import { sentences } from "../../format/sentences.ts";
import { texts } from "../../texts/index.ts";
import { JsonView } from "../../values/json-view.tsx";
import type { FieldIssue } from "./form/form-words.ts";
import { dots, readPayload, type Written, writePayload } from "./form/json-text.ts";
import { SchemaForm, type SchemaFormProps } from "./form/schema-form.tsx";

const words = texts.schemaForm;

interface PayloadEditorProps extends Omit<SchemaFormProps, "root"> {
  schema: JsonObject;
}

export function PayloadEditor({ schema, ...props }: PayloadEditorProps) {
  const { id, payload, issues, onChange, onSubmit, onRefused } = props;
  const { root, tooMany } = useMemo(() => readForm(schema, payload), [schema, payload]);
  const [isBroken, setBroken] = useState(false);
  const [view, setView] = useState<"form" | "json">("form");
  /** The text of the JSON view, which is separate from the payload because it may be invalid. */
  const [edited, setEdited] = useState<Written | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const fields = isGroup(root) && root.parts.length + root.options.length > 0 ? root : null;
  const refused = tooMany ? "tooLarge" : isBroken ? "broken" : null;
  const shown = refused === null ? view : "json";
  const written = useMemo(() => edited ?? writePayload(payload, schema), [edited, payload, schema]);
  const show = (next: "form" | "json") => {
    const read = readPayload(written);
    if (next === "form" && read.problem !== undefined) {
      setProblem(`${read.problem} ${words.mendJson}`);
      return;
    }
    setProblem(null);
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
  const errors = sentences(issues.map(toLine)) || null;
  const send = () => {
    const read = readPayload(written);
    if (read.payload) return onSubmit(read.payload);
    setProblem(read.problem);
    onRefused?.();
  };

  return (
    <div className="payload-editor">
      {refused === null ? (
        <Segments
          label={texts.values.view({ of: texts.words.payload })}
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
      {shown === "form" && !fields ? (
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
            <JsonView
              value={shownPayload(payload, secretMarks(schema), dots)}
              label={texts.words.payload}
            />
          )}
          {errors && <Alert text={errors} />}
        </form>
      ) : shown === "form" && fields ? (
        // If an agent's schema breaks the form, the payload can still be entered as JSON.
        <Boundary onFailed={() => setBroken(true)}>
          <SchemaForm {...props} root={fields} />
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
          <LinesField
            label={texts.words.payload}
            hint={written.secrets.length > 0 ? words.hiddenHint : words.jsonHint}
            error={problem ?? errors}
            rows={fields ? 14 : 4}
            value={written.text}
            onChange={write}
            onBlur={() => setProblem(readPayload(written).problem ?? null)}
          />
        </form>
      )}
    </div>
  );
}

function toLine({ path, message }: FieldIssue): string {
  return path.length === 0 ? message : `${path.join(".")}${texts.words.colon}${message}`;
}
