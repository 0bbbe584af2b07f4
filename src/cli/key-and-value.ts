import { usageError } from "./exit.ts";

/** Splits at the first `=`. `form` starts the usage error: `give NAME=VALUE`. */
export function keyAndValue(text: string, form: string): [key: string, value: string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw usageError(`${form}, not ${text}.`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
