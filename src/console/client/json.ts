// JSON values as agents send them: of any shape, so it is asked before anything is read from them.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Neither a list nor null, nor of one of the simple kinds. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text, number, yes or no, or nothing. */
export function isScalar(value: unknown): value is null | boolean | number | string {
  return value === null || typeof value !== "object";
}
