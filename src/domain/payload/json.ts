// JSON values.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether a value that came from JSON is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is text, a number, a boolean or null. */
export function isScalar(value: unknown): value is null | boolean | number | string {
  return value === null || typeof value !== "object";
}
