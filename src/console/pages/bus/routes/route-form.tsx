// The form of a route: what it is called, its state, when it matches, what it runs, and with which payload.

import { type FormEvent, type ReactNode, useId } from "react";
import { issueOf } from "../../../client/api-error.ts";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../fields/field.tsx";
import { texts } from "../../../texts/index.ts";
import { DataRows } from "../events/data-rows.tsx";
import { PayloadFields } from "../events/payload-fields.tsx";
import { CodeField } from "./code-field.tsx";
import { type DraftPart, routeStates } from "./route-draft.ts";
import { TargetFields } from "./target-fields.tsx";

const words = texts.busRoutes;

interface RouteFormProps extends DraftPart {
  /** By which a button elsewhere can send it. */
  id: string;
  isSaving: boolean;
  onSubmit: () => void;
}

export function RouteForm({ id, isSaving, onSubmit, ...part }: RouteFormProps) {
  const { draft, onChange, error } = part;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} className="card bus-form" onSubmit={submit}>
      <Field label={texts.words.name} error={issueOf(error, "name")} required>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={texts.words.description} error={issueOf(error, "description")}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={draft.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
      <StateChoice {...part} />
      <Part title={words.match}>
        <Field
          label={words.type}
          hint={words.typeHint}
          error={issueOf(error, "match.type")}
          required
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={draft.type}
              onChange={(event) => onChange({ type: event.target.value })}
            />
          )}
        </Field>
        <CodeField
          label={words.source}
          hint={words.sourceHint}
          value={draft.source}
          error={issueOf(error, "match.source")}
          onChange={(source) => onChange({ source })}
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

function StateChoice({ draft, onChange }: DraftPart) {
  const name = useId();
  return (
    <fieldset className="bus-choice">
      <legend>{words.state}</legend>
      {routeStates.map((state) => (
        <label key={state}>
          <input
            type="radio"
            name={name}
            checked={draft.state === state}
            onChange={() => onChange({ state })}
          />
          <span>
            {words.states[state].name}
            <span className="muted small"> {words.states[state].text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
