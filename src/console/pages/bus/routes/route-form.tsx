import type { ReactNode } from "react";
import { Button } from "../../../components/buttons/button.tsx";
import { fieldsOf } from "../../../fields/draft.ts";
import { FormFooter } from "../../../fields/form-footer.tsx";
import { LinesField, TextField } from "../../../fields/inputs.tsx";
import { RadioField } from "../../../fields/radio-field.tsx";
import { ActionChoice, CodeField, useActionsOf } from "../../../nouns/action-choice.tsx";
import { texts } from "../../../texts/index.ts";
import { Badge } from "../../../values/status-badge.tsx";
import { type DraftPart, routeStates } from "./route-draft.ts";
import { DataRows, PayloadFields } from "./route-rows.tsx";

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
  isDirty: boolean;
  isSaving: boolean;
  onSubmit: () => void;
}

/** The server, not the browser, validates the form. */
export function RouteForm({ isDirty, isSaving, onSubmit, ...part }: RouteFormProps) {
  const { draft, onChange, error } = part;
  const field = fieldsOf(draft, onChange, error);
  return (
    <form
      className="card bus-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField label={texts.words.name} required {...field("name")} />
      <LinesField label={texts.words.description} isProse {...field("description")} />
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
        <ActionChoice
          choice={useActionsOf(draft.serviceCode.trim())}
          service={field("serviceCode", "target.serviceCode")}
          action={field("action", "target.action")}
          hint={({ requiresConfirmation }) => requiresConfirmation && words.needsConfirmation}
        />
      </Part>
      <Part title={words.payload}>
        <PayloadFields {...part} />
      </Part>
      <FormFooter note={isDirty && <Badge tone="warn">{words.unsaved}</Badge>}>
        <Button type="submit" kind="primary" busy={isSaving}>
          {words.save}
        </Button>
      </FormFooter>
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
