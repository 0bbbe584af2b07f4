// What somebody may have meant who mistyped a name.

import { distance as editDistance } from "fastest-levenshtein";

/**
 * The name that begins so, or is fewest edits away, if that is close enough to be meant: something of the one
 * must be left in the other.
 */
export function nearest(text: string, names: readonly string[]): string | null {
  const lower = text.toLowerCase();
  const longer = names.find((name) => name.toLowerCase().startsWith(lower));
  if (longer !== undefined && text !== "") return longer;
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < bestDistance && distance < Math.max(text.length, name.length)) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Ends an error about an unknown name: "did you mean status?", or "known fields: name, status". */
export function suggestion(text: string, noun: string, names: readonly string[]): string {
  const meant = nearest(text, names);
  return meant === null ? `known ${noun}: ${names.join(", ")}` : `did you mean ${meant}?`;
}

/** A sentence to append, with its blank: " Did you mean status?". Empty for null. */
export function didYouMean(meant: string | null): string {
  return meant === null ? "" : ` Did you mean ${meant}?`;
}
