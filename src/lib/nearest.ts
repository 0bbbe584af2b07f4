import { distance as editDistance } from "fastest-levenshtein";

/**
 * Returns the name that starts with `text`, or the most similar one, or null if all are too
 * different.
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

/** Completes an error message with "did you mean status?" or "known fields: name, status". */
export function suggestion(text: string, noun: string, names: readonly string[]): string {
  const found = nearest(text, names);
  return found === null ? `known ${noun}: ${names.join(", ")}` : `did you mean ${found}?`;
}

/** Returns a sentence with a leading space, or an empty text if `name` is null. */
export function didYouMean(name: string | null): string {
  return name === null ? "" : ` Did you mean ${name}?`;
}
