// The validator that the form library asks, over our own issues.

import {
  type ErrorSchema,
  ErrorSchemaBuilder,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from "@rjsf/utils";
import type { Json, JsonObject } from "../../../../domain/payload/json.ts";
import { type FieldIssue, findFieldIssues, fits } from "./payload-issues.ts";

export const formValidator: ValidatorType<JsonObject> = {
  validateFormData(formData, schema) {
    const issues = findFieldIssues(formData, schema as JsonObject);
    return { errors: issues.map(toError), errorSchema: errorsOf(issues) };
  },
  isValid: (schema, formData) => fits(formData, schema as JsonObject),
  rawValidation: (schema: RJSFSchema, formData?: Json) => ({
    errors: findFieldIssues(formData, schema as JsonObject) as never[],
  }),
};

/** The same issues as a tree, as the form takes them. */
export function errorsOf(issues: readonly FieldIssue[]): ErrorSchema<JsonObject> {
  const builder = new ErrorSchemaBuilder<JsonObject>();
  for (const { path, message } of issues) builder.addErrors(message, path);
  return builder.ErrorSchema;
}

function toError({ path, message }: FieldIssue): RJSFValidationError {
  return { property: path.join("."), message, stack: message };
}
