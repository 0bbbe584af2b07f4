import { distance as editDistance } from "fastest-levenshtein";

/**
 * Suggests a name that starts with `text`, or the most similar one; null if none is similar enough.
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

/** Returns the end of an error message: "did you mean status?" or "known fields: name, status". */
export function suggestion(text: string, noun: string, names: readonly string[]): string {
  const found = nearest(text, names);
  return found === null ? `known ${noun}: ${names.join(", ")}` : `did you mean ${found}?`;
}

/** Returns a sentence with a leading space, or an empty text if `name` is null. */
export function didYouMean(name: string | null): string {
  return name === null ? "" : ` Did you mean ${name}?`;
}
