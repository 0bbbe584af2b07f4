// A form for an action's schema. It is loaded only when it is shown, because react-jsonschema-form
// is large.

import Form from "@rjsf/core/lib/components/Form.js";
import {
  type ErrorSchema,
  ErrorSchemaBuilder,
  englishStringTranslator,
  type RJSFSchema,
  type RJSFValidationError,
  TranslatableString,
  type ValidatorType,
} from "@rjsf/utils";
import { useEffect, useMemo, useRef } from "react";
import type { Json, JsonObject } from "../../../../domain/payload/json.ts";
import { findUnfinished } from "../../../fields/unfinished.ts";
import { texts } from "../../../texts/index.ts";
import { completePayload } from "./complete-payload.ts";
import { type FieldIssue, findFieldIssues, fits, withoutGaps } from "./payload-issues.ts";
import * as templates from "./templates.tsx";
import { BaseInput, Checkbox, Checkboxes, Select, Textarea } from "./widgets.tsx";
import "./schema-form.css";

// `Form` is imported by its file path, because the library's index imports a validator that is not
// installed.

export interface SchemaFormProps {
  /** The id of the form element, so that a button outside the form can submit it. */
  id: string;
  schema: JsonObject;
  payload: JsonObject;
  /** The errors that the server reported. */
  issues: readonly FieldIssue[];
  onChange: (payload: JsonObject) => void;
  /** Called only with a payload that has no known errors. */
  onSubmit: (payload: JsonObject) => void;
}

const allTemplates = {
  ...templates,
  BaseInputTemplate: BaseInput,
  // The button is below the form, with the other controls for running the action.
  ButtonTemplates: { SubmitButton: () => null },
};

const widgets = {
  TextareaWidget: Textarea,
  SelectWidget: Select,
  CheckboxWidget: Checkbox,
  CheckboxesWidget: Checkboxes,
};

/** Optional objects are not created, because the user may not know their required values. */
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
    // The form also reports defaults that it has set itself, which would cause an endless loop.
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
      return texts.schemaForm.option({ number: Number(params?.at(-1)) });
    default:
      return englishStringTranslator(text, params);
  }
}

const formValidator: ValidatorType<JsonObject> = {
  validateFormData(formData, schema) {
    const issues = findFieldIssues(formData, schema as JsonObject);
    return { errors: issues.map(toError), errorSchema: errorsOf(issues) };
  },
  isValid: (schema, formData) => fits(formData, schema as JsonObject),
  rawValidation: (schema: RJSFSchema, formData?: Json) => ({
    errors: findFieldIssues(formData, schema as JsonObject) as never[],
  }),
};

function errorsOf(issues: readonly FieldIssue[]): ErrorSchema<JsonObject> {
  const builder = new ErrorSchemaBuilder<JsonObject>();
  for (const { path, message } of issues) builder.addErrors(message, path);
  return builder.ErrorSchema;
}

function toError({ path, message }: FieldIssue): RJSFValidationError {
  return { property: path.join("."), message, stack: message };
}
