// Optional fields of the agents' calls. Programs in many languages send null for an absent value.

import { z } from "zod";

type Parse = z.core.$ZodType["_zod"]["parse"];

const nullIsAbsent =
  (parse: Parse): Parse =>
  (payload, context) => {
    if (payload.value === null) payload.value = undefined;
    return parse(payload, context);
  };

const Optional = z.core.$constructor<z.ZodOptional>("OptionalOrNull", (schema, def) => {
  z.ZodOptional.init(schema, def);
  schema._zod.parse = nullIsAbsent(schema._zod.parse);
});

const Default = z.core.$constructor<z.ZodDefault>("DefaultOrNull", (schema, def) => {
  z.ZodDefault.init(schema, def);
  schema._zod.parse = nullIsAbsent(schema._zod.parse);
});

/** Like `schema.optional()`, but null counts as absent. */
export function optional<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  const made = new Optional({ type: "optional", innerType: schema.nullable() });
  return made as unknown as z.ZodOptional<T>;
}

/** Like `schema.default(value)`, but null counts as absent. */
export function withDefault<T extends z.ZodType>(
  schema: T,
  value: z.core.util.NoUndefined<z.output<T>>,
): z.ZodDefault<T> {
  const innerType = schema.nullable();
  return new Default({
    type: "default",
    innerType,
    defaultValue: value,
  }) as unknown as z.ZodDefault<T>;
}
