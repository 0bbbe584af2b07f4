import type { Json } from "../domain/payload/json.ts";

export function toJsonColumn(value: Json | object | undefined | null): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

export function fromJsonColumn<T = Json>(text: string | null): T {
  return (text === null ? null : JSON.parse(text)) as T;
}

export function toFlag(value: boolean): number {
  return value ? 1 : 0;
}

/** Lowercases only ASCII letters, like SQLite's LOWER. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * PostgreSQL cannot store a NUL character, and neither engine returns a lone surrogate as it was.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
