// The secrets of a command that is run again: they were deleted when it ended, and are given again.

import { isJsonObject, type Json, type JsonObject } from "../../client/json.ts";
import { Field } from "../../components/field.tsx";
import { texts } from "../../texts/index.ts";

/** By JSON Pointer. */
export type Secrets = Record<string, string>;

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

/** What was written, as what the action's schema wants in its place: text, unless it is no text there. */
export function secretValues(secrets: Secrets, schema: Json | undefined): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(secrets).map(([place, text]) => {
      const { type } = partOf(schema, place);
      return [place, type === undefined || type === "string" ? text : jsonOrText(text)];
    }),
  );
}

function partOf(schema: Json | undefined, place: string): JsonObject {
  let at: Json | undefined = schema;
  for (const step of stepsOf(place)) {
    if (!isJsonObject(at)) break;
    at = isJsonObject(at.properties) ? at.properties[step] : at.items;
  }
  return isJsonObject(at) ? at : {};
}

/** What is no JSON is sent as it is: the server says what it wants. */
function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** `/login/password` as `login.password`. */
function labelOf(place: string): string {
  return stepsOf(place).join(".");
}

function stepsOf(place: string): string[] {
  const steps = place.slice(1).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
