// Defines schemas of lists and maps from untrusted clients. They check the number of entries first
// and stop after `maxIssues` errors, so that a small body cannot cause a lot of work or a large
// response.

import { z } from "zod";
import { maxIssues } from "../../domain/limits.ts";
import { isJsonObject, type Json } from "../../domain/payload/json.ts";

type Payload = z.core.ParsePayload;
type Parse = z.core.$ZodType["_zod"]["parse"];

/** Unlike Zod's list, it stops after too many errors. */
const List = z.core.$constructor<z.ZodArray>("List", (schema, def) => {
  z.ZodArray.init(schema, def);
  const parse: Parse = schema._zod.parse;
  schema._zod.parse = (payload, context) => {
    const { value } = payload;
    if (!Array.isArray(value) || value.length > (schema._zod.bag.maximum as number)) {
      return parse(payload, context);
    }
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const result = def.element._zod.run({ value: item, issues: [] }, context) as Payload;
      items.push(result.value);
      if (result.issues.length === 0) continue;
      payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
      if (payload.issues.length >= maxIssues) break;
    }
    payload.value = items;
    return payload;
  };
});

export function listOf<T extends z.ZodType>(element: T, most: number): z.ZodArray<T> {
  return new List({ type: "array", element }).max(most) as z.ZodArray as z.ZodArray<T>;
}

interface MapDef extends z.core.$ZodRecordDef {
  most: number;
  what: string;
}

const BoundedMap = z.core.$constructor<z.ZodRecord, MapDef>("BoundedMap", (schema, def) => {
  z.ZodRecord.init(schema, def);
  const parse: Parse = schema._zod.parse;
  schema._zod.parse = (payload, context) => {
    const { value: input } = payload;
    if (!isJsonObject(input) || !hasMoreThan(def.most, input)) return parse(payload, context);
    const message = `at most ${def.most} ${def.what}`;
    payload.issues.push({ code: "custom", message, input, inst: schema, continue: false });
    return payload;
  };
});

/**
 * An object with any keys, but at most `most` of them. The error message calls the entries `what`.
 */
export function mapOf<K extends z.core.$ZodRecordKey, V extends z.ZodType>(
  keyType: K,
  valueType: V,
  most: number,
  what: string,
): z.ZodRecord<K, V> {
  return new BoundedMap({ type: "record", keyType, valueType, most, what }) as z.ZodRecord<K, V>;
}

/** Stops counting at `most + 1`. */
export function hasMoreThan(most: number, members: object): boolean {
  let count = 0;
  for (const _ in members) {
    count++;
    if (count > most) return true;
  }
  return false;
}

const OpaqueObject = z.core.$constructor<z.ZodRecord>("OpaqueObject", (schema, def) => {
  z.ZodRecord.init(schema, def);
  const parse: Parse = schema._zod.parse;
  schema._zod.parse = (payload, context) =>
    isJsonObject(payload.value) ? payload : parse(payload, context);
});

/** Any JSON object. The values are not checked. */
export function opaqueObject<V extends z.ZodType<Json, Json>>(
  value: V,
): z.ZodRecord<z.ZodString, V> {
  const made = new OpaqueObject({ type: "record", keyType: z.string(), valueType: value });
  return made as z.ZodRecord as z.ZodRecord<z.ZodString, V>;
}
