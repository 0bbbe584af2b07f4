// The values of a form's fields, in one object.

import { useReducer } from "react";
import { issueOf } from "../client/api-error.ts";

export function useDraft<D extends object>(first: D): [draft: D, change: (to: Partial<D>) => void] {
  return useReducer((before: D, to: Partial<D>) => ({ ...before, ...to }), first);
}

/**
 * The returned function gives a field its value and error. `path` is the field's name in the API.
 */
export function fieldsOf<D extends object>(
  draft: D,
  change: (to: Partial<D>) => void,
  error: unknown = null,
) {
  return <K extends keyof D & string>(name: K, path: string = name) => ({
    value: draft[name],
    error: issueOf(error, path),
    onChange: (value: D[K]) => change({ [name]: value } as unknown as Partial<D>),
  });
}
