// A schema with fields of most kinds.

import type { JsonObject } from "../../../src/domain/payload/json.ts";

const text = { type: "string" };

const option = (kind: string, field: string): JsonObject => ({
  type: "object",
  properties: { kind: { const: kind }, [field]: text },
  required: ["kind", field],
});

export const order: JsonObject = {
  type: "object",
  required: ["count"],
  additionalProperties: false,
  properties: {
    count: { type: "integer", minimum: 1, maximum: 9 },
    size: { enum: ["small", "large"] },
    name: { ...text, minLength: 2 },
    note: { type: ["string", "null"] },
    tags: { type: "array", items: { type: "number" }, uniqueItems: true },
    some: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
    mail: { ...text, format: "email" },
    step: { type: "number", multipleOf: 0.5 },
    "a/b": { type: "object", properties: { c: text }, required: ["c"] },
    via: { oneOf: [option("post", "office"), option("car", "phone")] },
  },
};
