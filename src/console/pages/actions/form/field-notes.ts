// The labels of fields, and the notes below fields. Ids connect the notes with the controls.

import type { RJSFSchema } from "@rjsf/utils";
import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { texts } from "../../../texts/index.ts";
import type { Message } from "../../../texts/messages.ts";

const words = texts.schemaForm.hints;

export const noteIds = {
  hint: (id: string) => `${id}-hint`,
  error: (id: string) => `${id}-error`,
};

export function hintsOf(schema: RJSFSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const hasRange = exclusiveMinimum === undefined && exclusiveMaximum === undefined;
  const lengths = [words.lengthBetween, words.lengthAtLeast, words.lengthAtMost] as const;
  const items = [words.itemsBetween, words.itemsAtLeast, words.itemsAtMost] as const;
  return [
    sentence(schema.description ?? ""),
    hasRange ? range(minimum, maximum, [words.between, words.atLeast, words.atMost], String) : "",
    multipleOf === undefined || multipleOf === 1
      ? ""
      : words.multipleOf({ step: String(multipleOf) }),
    range(schema.minLength, schema.maxLength, lengths),
    range(schema.minItems, schema.maxItems, items),
    schema.uniqueItems === true ? words.unique : "",
    typeof schema.mustMatch === "string" ? words.mustMatch({ pattern: schema.mustMatch }) : "",
    typeof schema.manyChoices === "number" ? words.manyChoices({ many: schema.manyChoices }) : "",
  ].filter((text) => text !== "");
}

/** Adds a missing full stop, because more sentences follow. */
function sentence(text: string): string {
  const whole = text.trim();
  return whole === "" || /[.!?:…)]$/.test(whole) ? whole : `${whole}.`;
}

export function noteProps(id: string, schema: RJSFSchema, errors: readonly string[] | undefined) {
  const hasErrors = errors !== undefined && errors.length > 0;
  const ids = [
    hintsOf(schema).length > 0 && noteIds.hint(id),
    hasErrors && noteIds.error(id),
  ].filter(Boolean);
  return {
    ...(ids.length > 0 ? { "aria-describedby": ids.join(" ") } : {}),
    ...(hasErrors ? { "aria-invalid": true as const } : {}),
  };
}

/** Bounds of values are `written` as in the schema, and counts as the language writes numbers. */
function range(
  low: number | undefined,
  high: number | undefined,
  [between, atLeast, atMost]: readonly [Message<"low" | "high">, Message<"low">, Message<"high">],
  written: (bound: number) => number | string = (bound) => bound,
): string {
  if (low !== undefined && high !== undefined) {
    return between({ low: written(low), high: written(high) });
  }
  if (low !== undefined) return low === 0 ? "" : atLeast({ low: written(low) });
  return high === undefined ? "" : atMost({ high: written(high) });
}

/** Returns the labels on the path to a field. `property` is a dotted path from the form library. */
export function labelOf(property: string, schema: JsonObject): string {
  const labels: string[] = [];
  let at: Json | undefined = schema;
  for (const name of property.split(".").filter((part) => part !== "")) {
    const part = partOf(at, name);
    const title = isJsonObject(part) && typeof part.title === "string" ? part.title : null;
    const list = /^\d+$/.test(name) ? labels.pop() : undefined;
    labels.push(list === undefined ? (title ?? name) : `${list}-${Number(name) + 1}`);
    at = part;
  }
  return labels.join(", ");
}

/** Returns the schema of a field or item, or undefined if the field or item is part of a choice. */
function partOf(schema: Json | undefined, name: string): Json | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { properties, items } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return isJsonObject(items) ? items : undefined;
}
