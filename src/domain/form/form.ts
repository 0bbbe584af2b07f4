// The form of an action, which the terminal and the browser draw: fields in order, with their
// titles, choices and secrecy.

import type { Json, JsonObject } from "../payload/json.ts";

export const formLimits = {
  fields: 400,
  /** The maximum number of list items and undeclared keys of the payload. */
  values: 1_000,
  /** Deeper objects and lists are entered as JSON. */
  depth: 8,
  /** A field with more choices accepts any text. */
  choices: 500,
  /** The maximum length of a title, a description or the name of a choice. */
  characters: 1_000,
} as const;

export interface Form {
  /** The payload. A group, unless the payload can only be entered as JSON. */
  root: Field;
  /**
   * Whether the schema or the payload has more fields than a form can have. If so, some are
   * missing.
   */
  tooMany: boolean;
}

export interface Base {
  key: string;
  /** The original schema, against which the server checks values. */
  schema: Json;
  /** The schema's keywords, with references resolved. */
  keywords: JsonObject;
  required: boolean;
  nullable: boolean;
  /** Whether the value, including nested values, must be hidden. */
  secret: boolean;
  readOnly: boolean;
  /** A single line, which is empty if the schema has no title. */
  title: string;
  /** A single line, like the title. */
  description: string;
}

interface Group {
  kind: "group";
  parts: Field[];
  /** One of these groups applies in addition to the parts. */
  options: Field[];
  /** Fields for the keys of the payload that belong to no part. */
  others: Field[];
  /** The field for a key that the user adds. Null if the schema does not provide for other keys. */
  other: Field | null;
  /** Whether the schema refuses other keys. */
  closed: boolean;
}

export type Field = Base &
  (
    | Group
    | { kind: "fixed"; value: Json }
    | { kind: "choice"; choices: Choice[] }
    /** A list of some of the choices, each once. */
    | { kind: "choices"; choices: Choice[] }
    | { kind: "number"; whole: boolean }
    | { kind: "flag" | "text" | "json" }
    /** `items` are the fields of the items in the payload, and `item` is the field of a new one. */
    | { kind: "list"; item: Field; items: Field[] }
    /** The value fits one of several fields. */
    | { kind: "variants"; options: Field[] }
  );

export type FieldOf<K extends Field["kind"]> = Extract<Field, { kind: K }>;

export interface Choice {
  value: Json;
  /** The schema's name for the value, or an empty string. */
  name: string;
}

/** Returns the value of a keyword such as `minItems`; undefined if it is not a number. */
export function limitOf({ keywords }: Field, keyword: string): number | undefined {
  const limit = keywords[keyword];
  return typeof limit === "number" ? limit : undefined;
}

export function isGroup(field: Field): field is FieldOf<"group"> {
  return field.kind === "group";
}

/** Returns the field of a key, or of the items of a list. */
export function partOf(field: Field, key: string): Field | undefined {
  if (field.kind === "list") return field.item;
  if (!isGroup(field)) return undefined;
  const part = [...field.parts, ...field.others].find((each) => each.key === key);
  return part ?? field.options.map((option) => partOf(option, key)).find(Boolean);
}

/** Returns the keys that these groups declare, including those of their options. */
export function namesIn(fields: readonly Field[]): string[] {
  return fields
    .filter(isGroup)
    .flatMap(({ parts, options }) => [...parts.map(({ key }) => key), ...namesIn(options)]);
}

/** Whether a list of such items can be shown as checkboxes. */
export function isPlainChoice(item: Field): item is FieldOf<"choice"> {
  return item.kind === "choice" && !item.nullable && !item.secret;
}
