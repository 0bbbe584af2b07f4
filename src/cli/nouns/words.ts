// Converts between names of the API and of the command line.

import { type ErrorCode, isErrorCode } from "../../domain/errors.ts";

/** Converts `sessionsEnded` to `sessions ended`. Codes in capitals stay unchanged. */
export function wordsOf(field: string): string {
  if (!/[a-z]/.test(field)) return field;
  return field.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Converts `sessionsEnded` to `--sessions-ended`. */
export function flagNamed(field: string): string {
  return `--${wordsOf(field).replaceAll(" ", "-")}`;
}

/** Converts `--sessions-ended` to `sessionsEnded`. The parser uses the same names. */
export function fieldNamed(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts `API key` to `API_KEY_NOT_FOUND`, and `event` to `BUS_EVENT_NOT_FOUND`. */
export function notFoundCode(one: string): ErrorCode {
  const code = `${one.toUpperCase().replaceAll(" ", "_")}_NOT_FOUND`;
  return [code, `BUS_${code}`].find(isErrorCode) ?? "NOT_FOUND";
}
