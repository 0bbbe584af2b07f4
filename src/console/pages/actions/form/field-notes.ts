// What stands below a field: its description, and in words what it takes. Their ids tie them to the control.

import type { RJSFSchema } from "@rjsf/utils";
import { texts } from "../../../texts/index.ts";

const words = texts.schemaForm.hints;

const hintId = (id: string) => `${id}-hint`;
const errorId = (id: string) => `${id}-error`;
export const noteIds = { hint: hintId, error: errorId };

/** Empty when there is nothing to say. */
export function hintsOf(schema: RJSFSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const hasRange = exclusiveMinimum === undefined && exclusiveMaximum === undefined;
  const lengths = [words.lengthBetween, words.lengthAtLeast, words.lengthAtMost] as const;
  const items = [words.itemsBetween, words.itemsAtLeast, words.itemsAtMost] as const;
  return [
    sentence(schema.description ?? ""),
    hasRange ? range(minimum, maximum, [words.between, words.atLeast, words.atMost]) : "",
    multipleOf === undefined || multipleOf === 1 ? "" : words.multipleOf(multipleOf),
    range(schema.minLength, schema.maxLength, lengths),
    range(schema.minItems, schema.maxItems, items),
    schema.uniqueItems === true ? words.unique : "",
    typeof schema.mustMatch === "string" ? words.mustMatch(schema.mustMatch) : "",
    typeof schema.manyChoices === "number" ? words.manyChoices(schema.manyChoices) : "",
  ].filter((text) => text !== "");
}

/** More sentences follow it. */
function sentence(text: string): string {
  const whole = text.trim();
  return whole === "" || /[.!?:…)]$/.test(whole) ? whole : `${whole}.`;
}

/** To be spread into the control. */
export function noteProps(id: string, schema: RJSFSchema, errors: readonly string[] | undefined) {
  const hasErrors = errors !== undefined && errors.length > 0;
  const ids = [hintsOf(schema).length > 0 && hintId(id), hasErrors && errorId(id)].filter(Boolean);
  return {
    ...(ids.length > 0 ? { "aria-describedby": ids.join(" ") } : {}),
    ...(hasErrors ? { "aria-invalid": true as const } : {}),
  };
}

function range(
  low: number | undefined,
  high: number | undefined,
  [between, atLeast, atMost]: readonly [
    (low: number, high: number) => string,
    (low: number) => string,
    (high: number) => string,
  ],
): string {
  if (low !== undefined && high !== undefined) return between(low, high);
  if (low !== undefined) return low === 0 ? "" : atLeast(low);
  return high === undefined ? "" : atMost(high);
}
