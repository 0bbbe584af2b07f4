// `agents label` and `services label`: changes assigned labels of items, by name or by a selector.

import type { Noun } from "../../api/contract/noun.ts";
import type { LabelChanges } from "../../domain/labels.ts";
import type { CommandFunction } from "../command.ts";
import { usageError } from "../exit.ts";
import { act } from "./acts.ts";
import type { LoadPrint } from "./run.ts";

/** The words with `=`, or with `-` at their end, are changes. The others are names. */
export function label(noun: Noun, print: LoadPrint): CommandFunction {
  return async (invocation) => {
    const names = invocation.args.filter((word) => !isChange(word));
    const labels = changesIn(invocation.args.filter(isChange));
    await act(noun, "label", print, { labels })({ ...invocation, args: names });
  };
}

function isChange(word: string): boolean {
  return word.includes("=") || word.endsWith("-");
}

function changesIn(words: readonly string[]): LabelChanges {
  if (words.length === 0) {
    throw usageError("give at least one label: KEY=VALUE to assign it, or KEY- to remove it.");
  }
  const changes = new Map<string, string | null>();
  for (const word of words) {
    const [key, value] = changeOf(word);
    if (key === "") throw usageError(`give KEY=VALUE or KEY-, not ${word}.`);
    if (changes.has(key)) throw usageError(`the label ${key} is given twice.`);
    changes.set(key, value);
  }
  return Object.fromEntries(changes);
}

function changeOf(word: string): [key: string, value: string | null] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word.slice(0, -1), null] : [word.slice(0, equals), word.slice(equals + 1)];
}
