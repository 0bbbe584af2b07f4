// Lists the places where two JSON values differ.

import { jsonEqual } from "./json-equal.ts";

export interface JsonChange {
  path: string[];
  /** Undefined if the place exists only in the other value. */
  before: unknown;
  after: unknown;
}

/** Lists at most `limit` changes. An object that replaces a list or a text is one change. */
export function jsonChanges(before: unknown, after: unknown, limit: number): JsonChange[] {
  const changes: JsonChange[] = [];
  const compare = (path: string[], one: unknown, other: unknown): void => {
    if (changes.length === limit || jsonEqual(one, other)) return;
    if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other)) {
      changes.push({ path, before: one, after: other });
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      compare([...path, key], memberOf(one, key), memberOf(other, key));
    }
  };
  compare([], before, after);
  return changes;
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function memberOf(branch: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(branch, key) ? branch[key] : undefined;
}
