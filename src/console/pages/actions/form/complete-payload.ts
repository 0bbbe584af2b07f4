// Completes a form's payload where the user cannot: drops optional objects that are empty, sets
// values that have only one choice, and sets unticked checkboxes to false.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { fits } from "./payload-issues.ts";

function complete(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => complete(item, schema.items));
  return isJsonObject(value) ? completePayload(value, schema) : value;
}

/** `schema` comes from planForm. */
export function completePayload(value: JsonObject, schema: JsonObject): JsonObject {
  const made: JsonObject = { ...value };
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, part] of Object.entries(properties)) {
    const isRequired = required.includes(name);
    const given = Object.hasOwn(made, name) ? made[name] : undefined;
    if (given !== undefined) {
      const isNothing = !isRequired && isEmpty(given) && !hasDefault(part);
      const whole = isNothing ? undefined : complete(given, part);
      if (whole === undefined) delete made[name];
      else made[name] = whole;
    } else if (isRequired && isJsonObject(part)) {
      const only = onlyAnswer(part);
      if (only !== undefined) made[name] = only;
    }
  }
  const choices = [schema.oneOf, schema.anyOf].find(Array.isArray);
  return choices ? completeChoice(made, choices.filter(isJsonObject)) : made;
}

/**
 * Completes the object with a choice that has all of the object's properties. Returns the object
 * unchanged if there is no such choice, or if it is empty and there are several.
 */
function completeChoice(value: JsonObject, choices: JsonObject[]): JsonObject {
  const names = Object.keys(value);
  const completed = choices
    .filter(({ properties }) =>
      names.every((name) => isJsonObject(properties) && Object.hasOwn(properties, name)),
    )
    .map((choice) => ({ choice, made: completePayload(value, choice) }));
  const best = completed.find(({ choice, made }) => fits(made, choice)) ?? completed[0];
  return best && (completed.length === 1 || names.length > 0) ? best.made : value;
}

function onlyAnswer({ const: only, type, default: usual }: JsonObject): Json | undefined {
  if (only !== undefined) return only;
  return type === "boolean" && usual === undefined ? false : undefined;
}

function hasDefault(part: Json): boolean {
  return isJsonObject(part) && part.default !== undefined;
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
