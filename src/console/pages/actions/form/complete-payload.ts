// What a form leaves open, and a person cannot fill in: an object that may be left out and has nothing in it
// is left out, a value that can only be one is that one, and a box that is not ticked says no.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { fits } from "./payload-issues.ts";

/** `schema` as planForm makes it. */
export function completePayload(payload: JsonObject, schema: JsonObject): JsonObject {
  return completeObject(payload, schema);
}

function complete(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => complete(item, schema.items));
  return isJsonObject(value) ? completeObject(value, schema) : value;
}

function completeObject(value: JsonObject, schema: JsonObject): JsonObject {
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

/** As the choice that knows all that is there; nothing is added while nobody can tell which it is. */
function completeChoice(value: JsonObject, choices: JsonObject[]): JsonObject {
  const names = Object.keys(value);
  const completed = choices
    .filter(({ properties }) =>
      names.every((name) => isJsonObject(properties) && Object.hasOwn(properties, name)),
    )
    .map((choice) => ({ choice, made: completeObject(value, choice) }));
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
