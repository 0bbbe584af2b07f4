// The fields of `create`: as flags, and from the flags to the body of the API.

import type { NounField } from "../../api/contract/noun.ts";
import type { OptionSpec } from "../command.ts";
import { usageError } from "../exit.ts";
import { expiryOf, parseTime } from "../output/moments.ts";
import { flagNamed } from "./words.ts";

/** One flag sets either of them. */
const expiry = ["expiresAt", "expiresInSeconds"];
const expires: OptionSpec = {
  flags: "--expires <when>",
  summary: "such as 24h, 2026-12-31, or never",
};

export function fieldOptions(fields: readonly NounField[]): OptionSpec[] {
  return fields.flatMap((field) => {
    if (!expiry.includes(field.name)) return [fieldOption(field)];
    return field.name === expiry[0] ? [expires] : [];
  });
}

function fieldOption({ name, kind, choices, required, hint }: NounField): OptionSpec {
  const flag = flagNamed(name);
  const summary = [hint ? sentencePart(hint) : "", required ? "required" : ""]
    .filter(Boolean)
    .join("; ");
  switch (kind) {
    case "flag":
      return { flags: flag, summary };
    case "choice":
      return { flags: `${flag} <${flag.slice(2)}>`, summary, choices: [...(choices ?? [])] };
    case "number":
      return { flags: `${flag} <number>`, summary, kind: "integer" };
    case "time":
      return { flags: `${flag} <time>`, summary };
    case "text":
      return { flags: `${flag} <text>`, summary };
  }
}

/** Throws a usage error for a missing flag or an invalid time. */
export function bodyOf(
  fields: readonly NounField[],
  options: Record<string, unknown>,
): Record<string, unknown> {
  const body: Record<string, unknown> = expiryOf(options.expires as string | undefined);
  for (const { name, kind, required, hint } of fields) {
    const value = options[name];
    if (value !== undefined) body[name] = kind === "time" ? timeOf(name, String(value)) : value;
    else if (required && !expiry.includes(name)) {
      throw usageError(`${flagNamed(name)} is missing${hint ? `: ${sentencePart(hint)}` : ""}.`);
    }
  }
  return body;
}

function timeOf(name: string, text: string): string {
  const time = parseTime(text);
  if (time !== null) return time;
  throw usageError(`${flagNamed(name)} must be a time such as 2026-01-31T08:00:00Z, not ${text}.`);
}

/** The form of a description in help: part of a sentence. */
function sentencePart(text: string): string {
  return text.replace(/\.$/, "").replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
}
