import type { ReactNode } from "react";
import { issueOf } from "../../../client/api-error.ts";
import { Button } from "../../../components/button.tsx";
import { fieldsOf } from "../../../fields/draft.ts";
import { Field } from "../../../fields/field.tsx";
import { TextField } from "../../../fields/inputs.tsx";
import { RadioField } from "../../../fields/radio-field.tsx";
import { CodeField } from "../../../nouns/action-choice.tsx";
import { texts } from "../../../texts/index.ts";
import { type DraftPart, routeStates } from "./route-draft.ts";
import { DataRows, PayloadFields } from "./route-rows.tsx";
import { TargetFields } from "./target-fields.tsx";

const words = texts.busRoutes;

const stateOptions = routeStates.map((state) => {
  const { name, text } = words.states[state];
  const label = (
    <>
      {name} <span className="muted small">{text}</span>
    </>
  );
  return [state, label] as const;
});

interface RouteFormProps extends DraftPart {
  /** The id of the form element, for a submit button outside the form. */
  id: string;
  isSaving: boolean;
  onSubmit: () => void;
}

/** The browser does not validate the form, because the server does. */
export function RouteForm({ id, isSaving, onSubmit, ...part }: RouteFormProps) {
  const { draft, onChange, error } = part;
  const field = fieldsOf(draft, onChange, error);
  return (
    <form
      id={id}
      className="card bus-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField label={texts.words.name} required {...field("name")} />
      <Field label={texts.words.description} error={issueOf(error, "description")}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={draft.description}
            onChange={({ target }) => onChange({ description: target.value })}
          />
        )}
      </Field>
      <RadioField legend={words.state} options={stateOptions} {...field("state")} />
      <Part title={words.match}>
        <TextField
          label={words.type}
          hint={words.typeHint}
          required
          {...field("type", "match.type")}
        />
        <CodeField
          label={words.source}
          hint={words.sourceHint}
          {...field("source", "match.source")}
        />
        <DataRows {...part} />
      </Part>
      <Part title={words.target}>
        <TargetFields {...part} />
      </Part>
      <Part title={words.payload}>
        <PayloadFields {...part} />
      </Part>
      <Button type="submit" kind="primary" busy={isSaving}>
        {words.saveAtFoot}
      </Button>
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="bus-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
