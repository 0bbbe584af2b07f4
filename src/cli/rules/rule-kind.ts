// Describes routes, schedules and policies for their common commands. Users write each as YAML.

import type { NounName } from "../../api/contract/nouns.ts";
import type { JsonObject } from "../../domain/payload/json.ts";

export interface RuleKind {
  noun: NounName;
  /** For sentences, and the name of the file in an editor: `route`. */
  one: string;
  /** With its article: `a route`. */
  a: string;
  /**
   * The fields that can be written. A list contains the allowed subfields; null means any value.
   */
  fields: Readonly<Record<string, readonly string[] | null>>;
  /** Fields of `get -o yaml` that a file may contain, but that are ignored. */
  readOnly: readonly string[];
  /** Describes the fields in the editor. */
  explanation: string;
  /** Fields that keep their values if a text leaves them out. */
  kept: readonly string[];
}

/** Returns the fields that can be written and that have a value. */
export function writtenOf({ fields }: RuleKind, rule: object): JsonObject {
  const values = rule as Record<string, unknown>;
  const written = Object.keys(fields).map((field) => [field, values[field]] as const);
  return Object.fromEntries(written.filter(([, value]) => value != null)) as JsonObject;
}

/** Returns the fields that keep their values if a text leaves them out. */
export function keptOf({ kept }: RuleKind, written: JsonObject): JsonObject {
  return Object.fromEntries(
    kept.flatMap((field) => (field in written ? [[field, written[field] ?? null]] : [])),
  );
}
