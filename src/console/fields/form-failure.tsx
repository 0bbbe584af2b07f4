// Shows the error of a form, unless the form's fields already show every part of the error.

import { ApiError, type FieldPath, isAt } from "../client/api-error.ts";
import { Failure } from "../components/failure.tsx";

interface FormFailureProps {
  error: unknown;
  /** Paths of the fields that show their own errors. */
  fields: readonly FieldPath[];
  /** Error codes that a field shows. */
  codes?: readonly string[];
}

export function FormFailure({ error, fields, codes = [] }: FormFailureProps) {
  const isShown =
    (error instanceof ApiError && codes.includes(error.code)) || isAtFields(error, fields);
  return isShown ? null : <Failure error={error} />;
}

/** Whether fields with these paths show every part of the error. */
export function isAtFields(error: unknown, fields: readonly FieldPath[]): boolean {
  if (!(error instanceof ApiError) || error.issues.length === 0) return false;
  return error.issues.every(({ path }) => fields.some((field) => isAt(path, field)));
}
