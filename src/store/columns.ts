// How values stand in columns: JSON as text, booleans as 0 and 1.

import type { Json } from "../domain/json.ts";

export function toJsonColumn(value: Json | object | undefined | null): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

export function fromJsonColumn<T = Json>(text: string | null): T {
  return (text === null ? null : JSON.parse(text)) as T;
}

export function toFlag(value: boolean): number {
  return value ? 1 : 0;
}

/**
 * The pattern of a `LOWER(…) LIKE ? ESCAPE '!'` that finds `text` literally, wherever it stands. Only
 * ASCII letters lose their case: SQLite's LOWER knows no others.
 */
export function patternOf(text: string): string {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `%${lower.replace(/[!%_]/g, (character) => `!${character}`)}%`;
}
