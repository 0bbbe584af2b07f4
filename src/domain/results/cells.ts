// Reads one value of a structured result as its field's type. A value of another type is shown as
// text. Long text is cut.

import { cutText } from "../../lib/cut-text.ts";
import { resultLimits } from "../limits.ts";
import { isScalar, type Json, type JsonObject } from "../payload/json.ts";
import { redacted } from "../secrets/redaction.ts";
import { valueAt } from "./result-values.ts";
import type { ResultField } from "./structured-result.ts";

export type Cell =
  /** `redacted`: the server has removed the value. */
  | { kind: "nothing" | "redacted" }
  | { kind: "text" | "code" | "status" | "link"; text: string }
  | { kind: "boolean"; value: boolean }
  /** Sizes are in bytes, and durations in milliseconds. */
  | { kind: "number" | "bytes" | "duration"; value: number }
  /** In ISO 8601. */
  | { kind: "time" | "relativeTime"; at: string };

export function cellOf(row: JsonObject, { key, type }: ResultField): Cell {
  const value = valueAt(row, key);
  if (value === undefined || value === null || value === "") return { kind: "nothing" };
  if (value === redacted) return { kind: "redacted" };
  switch (type) {
    case "number":
    case "bytes":
    case "duration": {
      const number = numberOf(value);
      return number === null ? asText(value) : { kind: type, value: number };
    }
    case "time":
    case "relativeTime": {
      const at = timeOf(value);
      return at === null ? asText(value) : { kind: type, at };
    }
    case "code":
    case "status":
    case "link":
      return isScalar(value) ? { kind: type, text: shortText(value) } : asText(value);
    default:
      return asText(value);
  }
}

/** Returns what the copy button of a field copies. Null means that there is no button. */
export function copyOf(row: JsonObject, { key, type, copyable }: ResultField): string | null {
  const value = valueAt(row, key);
  const isCopied = copyable || type === "link";
  if (!isCopied || value === undefined || value === null || !isScalar(value)) return null;
  const text = String(value);
  return text === "" || text.includes(redacted) ? null : text;
}

function asText(value: Json): Cell {
  if (typeof value === "boolean") return { kind: "boolean", value };
  return { kind: "text", text: shortText(value) };
}

/** Accepts numbers as text, because some agents send large ones this way. */
function numberOf(value: Json): number | null {
  if (typeof value === "number") return value;
  const isNumber = typeof value === "string" && /^-?\d{1,15}(\.\d{1,15})?$/.test(value);
  return isNumber ? Number(value) : null;
}

/** Accepts ISO 8601, and Unix milliseconds as a number. */
function timeOf(value: Json): string | null {
  const isText = typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
  const date = new Date(isText || typeof value === "number" ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function shortText(value: Json): string {
  const { textLength } = resultLimits;
  return cutText(typeof value === "string" ? value : shortJson(value, textLength + 1), textLength);
}

/** Writes JSON, but stops soon after this many characters. */
function shortJson(value: Json, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room));
  if (isScalar(value)) return String(value);
  let parts = "";
  const add = (part: string) => {
    parts += parts === "" ? part : `,${part}`;
    return parts.length > room;
  };
  if (Array.isArray(value)) {
    for (const item of value) if (add(shortJson(item, room - parts.length))) break;
    return `[${parts}]`;
  }
  for (const key in value) {
    const part = shortJson(value[key] ?? null, room - parts.length);
    if (add(`${shortJson(key, room)}:${part}`)) break;
  }
  return `{${parts}}`;
}
