// A form made from an action's schema, by react-jsonschema-form: a heavy library, so this file is loaded
// only where a form is shown.

// By its file: the front door of the library pulls in its tests' validator, which is not there.
import Form from "@rjsf/core/lib/components/Form.js";
import { englishStringTranslator, type RJSFSchema, TranslatableString } from "@rjsf/utils";
import { useEffect, useMemo, useRef } from "react";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { findUnfinished } from "../../../fields/unfinished.ts";
import { texts } from "../../../texts/index.ts";
import { completePayload } from "./complete-payload.ts";
import { errorsOf, formValidator } from "./form-validator.ts";
import { type FieldIssue, withoutGaps } from "./payload-issues.ts";
import * as templates from "./templates.tsx";
import { BaseInput, Checkbox, Checkboxes, Select, Textarea } from "./widgets.tsx";
import "./schema-form.css";

interface SchemaFormProps {
  id: string;
  /** As planForm makes it. */
  schema: JsonObject;
  payload: JsonObject;
  /** What the server found. */
  issues: readonly FieldIssue[];
  onChange: (payload: JsonObject) => void;
  /** Only with a payload that fits, as far as that can be told here. */
  onSubmit: (payload: JsonObject) => void;
}

const nothing = () => null;

const allTemplates = {
  ...templates,
  BaseInputTemplate: BaseInput,
  // Its button is below, with all else that belongs to running the action.
  ButtonTemplates: { SubmitButton: nothing },
};

const widgets = {
  TextareaWidget: Textarea,
  SelectWidget: Select,
  CheckboxWidget: Checkbox,
  CheckboxesWidget: Checkboxes,
};

/** An object that may be left out is not made up: what it requires may be unknown. */
const defaults = {
  emptyObjectFields: "skipEmptyDefaults",
  constAsDefaults: "never",
  arrayMinItems: { populate: "never" },
} as const;

export function SchemaForm({ id, schema, payload, issues, onChange, onSubmit }: SchemaFormProps) {
  const frame = useRef<HTMLDivElement>(null);
  const formData = useMemo(() => completePayload(payload, schema), [payload, schema]);
  const payloadOf = (data: JsonObject | undefined) =>
    completePayload((withoutGaps(data) ?? {}) as JsonObject, schema);
  const change = (next: JsonObject) => {
    // The form tells of what it has made up by itself, too: that must not go round in circles.
    if (JSON.stringify(next) !== JSON.stringify(formData)) onChange(next);
  };
  const submit = (data: JsonObject | undefined) => {
    const unfinished = findUnfinished(frame.current);
    if (unfinished) unfinished.focus();
    else onSubmit(payloadOf(data));
  };
  const extraErrors = useMemo(() => errorsOf(issues), [issues]);
  useEffect(() => {
    if (issues.length > 0) focusFirstWrong(frame.current);
  }, [issues]);
  return (
    <div ref={frame} className="schema-form">
      <Form<JsonObject>
        id={id}
        idPrefix={id}
        idSeparator="/"
        schema={schema as RJSFSchema}
        validator={formValidator}
        formData={formData}
        extraErrors={extraErrors}
        templates={allTemplates}
        widgets={widgets}
        translateString={translate}
        experimental_defaultFormStateBehavior={defaults}
        noHtml5Validate
        showErrorList="bottom"
        onChange={(event) => change(payloadOf(event.formData))}
        onSubmit={(event) => submit(event.formData)}
        onError={() => {
          findUnfinished(frame.current);
          focusFirstWrong(frame.current);
        }}
      />
    </div>
  );
}

function focusFirstWrong(frame: HTMLElement | null): void {
  frame?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}

function translate(text: TranslatableString, params?: string[]): string {
  switch (text) {
    case TranslatableString.YesLabel:
      return texts.words.yes;
    case TranslatableString.NoLabel:
      return texts.words.no;
    case TranslatableString.NewStringDefault:
      return "";
    case TranslatableString.OptionPrefix:
    case TranslatableString.TitleOptionPrefix:
      return texts.schemaForm.option(Number(params?.at(-1)));
    default:
      return englishStringTranslator(text, params);
  }
}
