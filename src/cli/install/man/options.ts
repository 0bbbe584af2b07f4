// Arguments and flags, each with what it is for, what it may be, and what it is when it is not given.

import { formatDuration } from "../../../lib/duration.ts";
import type { ArgumentSpec, OptionSpec } from "../../command.ts";
import { bold, italic, terms, text } from "./roff.ts";

type Told = Pick<OptionSpec, "summary" | "choices" | "default" | "kind"> | ArgumentSpec;

/** `term` is roff already. */
export function described(entries: readonly (readonly [term: string, spec: Told])[]): string {
  return terms(entries.map(([term, spec]) => [term, meaning(spec)]));
}

export function optionTerms(options: readonly OptionSpec[]): string {
  return described(options.map((option) => [flags(option.flags), option]));
}

/** `-o, --output <format>`: what is typed is bold, what stands for something else is not. */
function flags(words: string): string {
  return words.replace(/<([^>]+)>|([^<\s,]+)/g, (_, placeholder?: string, typed?: string) =>
    placeholder === undefined ? bold(typed ?? "") : italic(placeholder),
  );
}

function meaning(spec: Told): string {
  const untold = spec.choices?.some((choice) => !spec.summary.includes(choice)) ?? false;
  const choices = untold ? [`One of ${spec.choices?.join(", ")}.`] : [];
  const byDefault = "default" in spec ? spec.default : undefined;
  const value =
    "kind" in spec && spec.kind === "duration" ? formatDuration(Number(byDefault)) : byDefault;
  const otherwise = byDefault === undefined ? [] : [`Default: ${value}.`];
  const sentence = `${spec.summary.replace(/^[a-z](?![A-Z])/, (letter) => letter.toUpperCase())}.`;
  return text([sentence, ...choices, ...otherwise].join(" "));
}
