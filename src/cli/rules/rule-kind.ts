// Describes routes, schedules and policies for their common commands. Users write each as YAML.

import type { NounName } from "../../api/contract/nouns.ts";
import {
  type DocumentKind,
  unknownFieldsIn,
  writableFields,
} from "../../api/shapes/declared-documents.ts";
import type { Issue } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";

export interface RuleKind {
  noun: NounName;
  /** The fields that can be written. */
  fields: readonly string[];
  /** Ignores the other fields of `get -o yaml`. */
  unknownFields(rule: JsonObject): Issue[];
  /** For sentences, and the name of the file in an editor: `route`. */
  one: string;
  /** With its article: `a route`. */
  a: string;
  /** Describes the fields in the editor. */
  explanation: string;
  /** Fields that keep their values if a text leaves them out. */
  kept: readonly string[];
}

/** `document` is the kind of the declarations that have the same fields. */
export function ruleKind(
  document: DocumentKind,
  texts: Omit<RuleKind, "fields" | "unknownFields">,
): RuleKind {
  return {
    ...texts,
    fields: writableFields(document),
    unknownFields: (rule) => unknownFieldsIn(document, rule),
  };
}

/** Returns the fields that can be written and that have a value. */
export function writtenOf({ fields }: RuleKind, rule: object): JsonObject {
  const values = rule as Record<string, unknown>;
  const written = fields.map((field) => [field, values[field]] as const);
  return Object.fromEntries(written.filter(([, value]) => value != null)) as JsonObject;
}

/** Returns the fields that keep their values if a text leaves them out. */
export function keptOf({ kept }: RuleKind, written: JsonObject): JsonObject {
  return Object.fromEntries(
    kept.flatMap((field) => (field in written ? [[field, written[field] ?? null]] : [])),
  );
}
