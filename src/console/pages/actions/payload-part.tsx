// The payload as part of a larger form. Until an action is chosen, there is nothing to enter.

import type { JsonObject } from "../../../domain/payload/json.ts";
import { texts } from "../../texts/index.ts";
import type { FieldIssue } from "./form/form-words.ts";
import type { SchemaFormProps } from "./form/schema-form.tsx";
import { PayloadEditor } from "./payload-editor.tsx";

interface PayloadPartProps {
  /** The id of the form element. */
  form: string;
  /** Whether the search for the action has finished. */
  isKnown: boolean;
  schema: JsonObject;
  payload: JsonObject;
  issues?: FieldIssue[];
  onChange: SchemaFormProps["onChange"];
  onSubmit: SchemaFormProps["onSubmit"];
  onRefused?: SchemaFormProps["onRefused"];
}

export function PayloadPart({ form, isKnown, issues = [], ...editor }: PayloadPartProps) {
  if (isKnown) return <PayloadEditor {...editor} id={form} issues={issues} />;
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        editor.onSubmit({});
      }}
    >
      <p className="muted">{texts.rollouts.form.chooseFirst}</p>
    </form>
  );
}
