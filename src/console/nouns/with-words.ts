// The words of a language in the descriptions of the nouns, which have English ones.

/**
 * By place: `agents.title`, `agents.columns.last seen.label`, `agents.acts.disable.happens`. A column or filter
 * is named by its `name`. A word that the description derives, such as a `label`, may be added. Throws for a
 * place of something that does not exist.
 */
export type NounWords = Readonly<Record<string, string | readonly string[]>>;

type Part = Record<string, unknown> | { name: string }[];

/** A copy of `nouns` with these words in place of its own. */
export function withWords<T extends object>(nouns: T, words: NounWords): T {
  const copy = structuredClone(nouns);
  for (const [place, text] of Object.entries(words)) {
    const steps = place.split(".");
    const last = steps.pop() ?? "";
    const part = steps.reduce<Part | undefined>(partOf, copy as Part);
    if (part === undefined || Array.isArray(part)) throw new Error(`no noun has ${place}`);
    part[last] = text;
  }
  return copy;
}

function partOf(whole: Part | undefined, step: string): Part | undefined {
  if (Array.isArray(whole)) return whole.find(({ name }) => name === step) as Part | undefined;
  if (whole && (step === "values" || step === "options")) whole[step] ??= {};
  return whole?.[step] as Part | undefined;
}
