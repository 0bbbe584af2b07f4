// Shows the error of a form, unless the form's fields already show every part of the error.

import { ApiError } from "../client/api-error.ts";
import { Failure } from "../components/failure.tsx";

interface FormFailureProps {
  error: unknown;
  /** Paths of the fields that show their own errors. */
  fields: readonly string[];
  /** Error codes that a field shows. */
  codes?: readonly string[];
}

export function FormFailure({ error, fields, codes = [] }: FormFailureProps) {
  const isShown =
    error instanceof ApiError &&
    (codes.includes(error.code) ||
      (error.issues.length > 0 && error.issues.every(({ path }) => fields.includes(path))));
  return isShown ? null : <Failure error={error} />;
}
