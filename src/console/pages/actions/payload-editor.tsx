// The payload of an action, filled in as a form or as JSON: both edit the same one.

import { Component, lazy, type ReactNode, useMemo, useState } from "react";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { Segments } from "../../components/segments.tsx";
import { Field } from "../../fields/field.tsx";
import { texts } from "../../texts/index.ts";
import { planForm } from "./form/form-schema.ts";
import { readPayload, writePayload } from "./form/json-text.ts";
import type { FieldIssue } from "./form/payload-issues.ts";

const words = texts.schemaForm;

const SchemaForm = lazy(async () => ({
  default: (await import("./form/schema-form.tsx")).SchemaForm,
}));

interface PayloadEditorProps {
  /** Of the form element, so that a button elsewhere sends it. */
  id: string;
  schema: JsonObject;
  payload: JsonObject;
  /** What the server found wrong with it. */
  issues: readonly FieldIssue[];
  onChange: (payload: JsonObject) => void;
  onSubmit: (payload: JsonObject) => void;
}

/** Suspends until the form is loaded: there is nothing to send before. */
export function PayloadEditor(props: PayloadEditorProps) {
  const { id, schema, payload, issues, onChange, onSubmit } = props;
  /** As it was when the form was opened: JSON may have made it too large for one. */
  const [opened, setOpened] = useState(payload);
  const plan = useMemo(() => planForm(schema, opened), [schema, opened]);
  const [isBroken, setBroken] = useState(false);
  const [view, setView] = useState<"form" | "json">("form");
  /** Kept apart from the payload: it may be no JSON at the moment. */
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  const why = plan.refused ?? (isBroken ? "broken" : null);
  const shown = why === null ? view : "json";
  const written = shown === view ? text : null;
  const show = (next: "form" | "json") => {
    if (next === "json" && view === "form") setText(writePayload(payload));
    if (next === "form" && readPayload(text).problem !== undefined) {
      setProblem(`${readPayload(text).problem} ${words.mendJson}`);
      return;
    }
    setProblem(null);
    setOpened(payload);
    setView(next);
  };
  const write = (next: string) => {
    setView("json");
    setText(next);
    setProblem(null);
    const read = readPayload(next);
    if (read.payload) onChange(read.payload);
  };
  const send = () => {
    const read = readPayload(written ?? writePayload(payload));
    if (read.payload) onSubmit(read.payload);
    else setProblem(read.problem);
  };

  return (
    <div className="payload-editor">
      {why === null ? (
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
        <p className="muted">{words.noForm[why]}</p>
      )}
      {shown === "form" && plan.schema ? (
        <Boundary onBroken={() => setBroken(true)}>
          <SchemaForm
            id={id}
            schema={plan.schema}
            payload={payload}
            issues={issues}
            onChange={onChange}
            onSubmit={onSubmit}
          />
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
            label={words.payload}
            hint={words.jsonHint}
            error={problem ?? (issues.map(toLine).join(" ") || null)}
          >
            {(control) => (
              <textarea
                {...control}
                rows={why === "noObject" ? 4 : 14}
                spellCheck={false}
                value={written ?? writePayload(payload)}
                onChange={({ target }) => write(target.value)}
                onBlur={() => setProblem(readPayload(written ?? "{}").problem ?? null)}
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

/** A schema is an agent's: whatever it does to the form, the payload can be filled in as JSON. */
class Boundary extends Component<
  { onBroken: () => void; children: ReactNode },
  { isBroken: boolean }
> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(): void {
    this.props.onBroken();
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
