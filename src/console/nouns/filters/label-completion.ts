// Completes the last requirement of a selector with existing labels.

import { formatSelector, quoted } from "../../../domain/fleet/selectors.ts";

export type Labels = Readonly<Record<string, string>>;

/** A selector that the user is still typing. */
interface Unfinished {
  /** The text before the part that is to be completed. */
  before: string;
  /** The label whose value the user is typing; undefined while the user is typing a name. */
  key?: string;
  part: string;
}

const mostOffered = 50;
/** Matches an unfinished value after `region=`, `region!=` or `region in (eu,`. */
const valueAtEnd =
  /^(.*?([\p{L}\p{N}_./-]+)\s*(?:!?=|\s(?:not)?in\s*\((?:[^()]*,)?)\s*)([\p{L}\p{N}_./-]*)$/su;
const nameAtEnd = /^((?:.*,)?\s*!?)([\p{L}\p{N}_./-]*)$/su;

/** Returns null if the selector ends with anything else, such as a string. */
export function unfinishedIn(selector: string): Unfinished | null {
  const [, before = "", key, part = ""] = valueAtEnd.exec(selector) ?? [];
  if (key !== undefined) return { before, key, part };
  const name = nameAtEnd.exec(selector);
  return name && { before: name[1] ?? "", part: name[2] ?? "" };
}

/**
 * Returns completed selectors as `value`, each with the text that it adds as `title`. Texts that
 * begin with the typed part come first. Among these and among the others, the most frequent texts
 * come first. After `!`, only names are offered.
 */
export function completionsOf(
  { before, key, part }: Unfinished,
  items: readonly Labels[],
): { value: string; title: string }[] {
  const uses = new Map<string, number>();
  const offer = (text: string) => uses.set(text, (uses.get(text) ?? 0) + 1);
  for (const labels of items) {
    for (const [name, value] of Object.entries(labels)) {
      if (before.trimEnd().endsWith("!")) offer(quoted(name));
      else if (key === undefined) {
        offer(formatSelector([{ key: name, operator: "in", values: [value] }]));
      } else if (key === name) offer(quoted(value));
    }
  }
  const wanted = part.toLowerCase();
  const begins = (text: string) => Number(text.toLowerCase().startsWith(wanted));
  return [...uses]
    .filter(([text]) => text.toLowerCase().includes(wanted) && !before.includes(text))
    .sort(
      ([a, first], [b, second]) => begins(b) - begins(a) || second - first || a.localeCompare(b),
    )
    .slice(0, mostOffered)
    .map(([text]) => ({ value: `${before}${text}`, title: text }));
}
