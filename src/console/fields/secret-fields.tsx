// Fields for the secrets of a payload that is sent again. The server deleted the secrets when the
// work ended.

import { SchemaReader } from "../../domain/form/schema-reader.ts";
import { isJsonObject, type Json } from "../../domain/payload/json.ts";
import { parsePointer } from "../../lib/json/json-pointer.ts";
import { texts } from "../texts/index.ts";
import { TextField } from "./inputs.tsx";

/** The secrets that the user typed, by JSON Pointer into the payload. */
export type Secrets = Record<string, string>;

interface SecretFieldsProps {
  /** JSON Pointers into the payload. */
  places: readonly string[];
  secrets: Secrets;
  onChange: (secrets: Secrets) => void;
}

export function SecretFields({ places, secrets, onChange }: SecretFieldsProps) {
  if (places.length === 0) return null;
  return (
    <>
      <p>{texts.secretFields}</p>
      {places.map((place) => (
        <TextField
          key={place}
          label={parsePointer(place)?.join(".") ?? place}
          required
          type="password"
          value={secrets[place] ?? ""}
          onChange={(secret) => onChange({ ...secrets, [place]: secret })}
        />
      ))}
    </>
  );
}

export function isMissingSecret(places: readonly string[], secrets: Secrets): boolean {
  return places.some((place) => !secrets[place]);
}

/** Converts the typed texts to the types in the action's schema. */
export function secretValues(secrets: Secrets, schema: Json | undefined): Record<string, Json> {
  const reader = new SchemaReader(isJsonObject(schema) ? schema : {});
  return Object.fromEntries(
    Object.entries(secrets).map(([place, text]) => {
      const { type } = reader.readAt(parsePointer(place) ?? []).keywords;
      return [place, type === undefined || type === "string" ? text : jsonOrText(text)];
    }),
  );
}

/** Returns text that is not JSON unchanged. The server then explains what is wrong. */
function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
