// The secrets of a command that is run again: they were deleted when it ended, and are given again.

import { parsePointer } from "../../../lib/json/json-pointer.ts";
import { Field } from "../../fields/field.tsx";
import { texts } from "../../texts/index.ts";
import type { Secrets } from "./secret-values.ts";

interface SecretFieldsProps {
  /** JSON Pointers to the secrets in the payload. */
  places: readonly string[];
  secrets: Secrets;
  onChange: (secrets: Secrets) => void;
}

export function SecretFields({ places, secrets, onChange }: SecretFieldsProps) {
  if (places.length === 0) return null;
  return (
    <>
      <p>{texts.commands.retry.secrets}</p>
      {places.map((place) => (
        <Field key={place} label={labelOf(place)} required>
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              value={secrets[place] ?? ""}
              onChange={(event) => onChange({ ...secrets, [place]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  );
}

/** `/login/password` as `login.password`. */
function labelOf(place: string): string {
  return parsePointer(place)?.join(".") ?? place;
}
