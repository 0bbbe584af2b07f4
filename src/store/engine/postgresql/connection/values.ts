// Gives values the types that SQLite's engine returns: numbers, text and null. A comparison is 1 or
// 0. This program stores no integer above 2^53. A greater one from another program is rounded.
// Refusing it would make a whole audit trail unreadable, instead of showing where it was changed.

import type { CustomTypesConfig } from "pg";
import { storableText } from "../../../columns.ts";
import type { SqlValue } from "../../../database.ts";

type Parser = (text: string) => string | number;

const parsers: Record<number, Parser> = {
  16: (text) => (text === "t" ? 1 : 0), // bool
  20: Number, // int8
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  700: Number, // float4
  701: Number, // float8
  1700: Number, // numeric, which SUM returns
};

const asText: Parser = (text) => text;

export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers[oid] ?? asText) as CustomTypesConfig["getTypeParser"],
};

export function toValue(value: SqlValue): SqlValue {
  return typeof value === "string" ? storableText(value) : value;
}

/** Returns the value as a parameter, which is sent as text. */
export function toText(value: SqlValue): string | null {
  if (typeof value === "number") return String(value);
  return value === null ? null : storableText(value);
}
