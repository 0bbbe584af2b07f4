// The fields of `create`: defines their flags, and converts flags to the body of the API call.

import type { Noun, NounField } from "../../api/contract/noun.ts";
import type { NounName } from "../../api/contract/nouns.ts";
import { uncapitalized } from "../../lib/capitalized.ts";
import { parseTime } from "../../lib/moments.ts";
import type { OptionSpec } from "../command.ts";
import { usageError } from "../exit.ts";
import { keyAndValue } from "../key-and-value.ts";
import { expiryOf } from "../output/moments.ts";
import type { Io } from "../terminal/io.ts";
import { askChoice } from "../terminal/prompts.ts";
import { flagNamed, wordsOf } from "./words.ts";

/** One flag, `--expires`, sets either of these fields. */
const expiry = ["expiresAt", "expiresInSeconds"];

type Create = NonNullable<Noun["create"]>;

export function fieldOptions({ fields, expires }: Create): OptionSpec[] {
  const byDefault = expires === undefined ? "" : ` (default: ${expires})`;
  const summary = `expiry, such as 24h, 2026-12-31, or never${byDefault}`;
  return fields.flatMap((field) => {
    if (!expiry.includes(field.name)) return [fieldOption(field)];
    return field.name === expiry[0] ? [{ flags: "--expires <when>", summary }] : [];
  });
}

function fieldOption(field: NounField): OptionSpec {
  const { name, flag: word = name, kind, choices = [], required, hint, completes } = field;
  const flag = flagNamed(word);
  const ifMissing = field.meanings ? "if missing, asked for on a terminal" : "required";
  const isNeeded = required && field.default === undefined;
  const parts = [...(hint ? [sentencePart(hint)] : []), ...(isNeeded ? [ifMissing] : [])];
  const value = kind === "choice" ? flag.slice(2) : kind === "map" ? "key=value" : kind;
  return {
    flags: kind === "flag" ? flag : `${flag} <${value}>`,
    summary: parts.join("; "),
    ...(kind === "choice" ? { choices: [...choices] } : {}),
    ...(kind === "number" ? { kind: "integer" as const } : {}),
    ...(kind === "map" ? { kind: "repeat" as const } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(completes === undefined ? {} : { completes: completes as NounName }),
  };
}

/** Asks for a missing choice on a terminal. Throws usage errors. */
export async function bodyOf(
  { interactive }: Io,
  { fields }: Create,
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = expiryOf(options.expires as string | undefined);
  for (const { name, flag = name, kind, required, hint, meanings } of fields) {
    const value = options[flag];
    const isMissing = required && value === undefined && !expiry.includes(name);
    if (isMissing && meanings && interactive) body[name] = await askMeaning(flag, meanings);
    else if (isMissing) {
      throw usageError(`${flagNamed(flag)} is missing${hint ? `: ${sentencePart(hint)}` : ""}.`);
    } else if (value !== undefined) {
      if (kind === "time") body[name] = timeOf(flag, String(value));
      else body[name] = kind === "map" ? mapOf(flag, value as string[]) : value;
    }
  }
  return body;
}

function askMeaning(flag: string, meanings: Readonly<Record<string, string>>): Promise<string> {
  const choices = Object.entries(meanings).map(([value, meaning]) => ({
    name: `${value}: ${meaning}`,
    value,
  }));
  return askChoice({ message: `Which ${wordsOf(flag)}?`, choices });
}

function timeOf(name: string, text: string): string {
  const time = parseTime(text);
  if (time !== null) return time;
  throw usageError(`${flagNamed(name)} must be a time such as 2026-01-31T08:00:00Z, not ${text}.`);
}

function mapOf(flag: string, pairs: readonly string[]): Record<string, string> {
  const form = `${flagNamed(flag)} must be KEY=VALUE`;
  return Object.fromEntries(pairs.map((pair) => keyAndValue(pair, form)));
}

/** Turns a description in the help into a part of a sentence. */
function sentencePart(text: string): string {
  return uncapitalized(text.replace(/\.$/, ""));
}
