// Replaces the English texts in the nouns' descriptions, for a translation.

/**
 * Texts in the places that they have in the descriptions: `agents.columns["last seen"].label`.
 * Columns and filters are found by their `name`. A text under `*` is for all nouns that have this
 * place, unless a noun has its own text.
 */
export interface NounTexts {
  readonly [name: string]: string | readonly string[] | NounTexts;
}

type Part = Record<string, unknown>;

/** Throws if a text is in a place that no noun has. */
export function withTexts<T extends object>(nouns: T, { "*": ofAll = {}, ...own }: NounTexts): T {
  const copy = structuredClone(nouns);
  replace(Object.values(copy), ofAll as NounTexts, "*");
  replace([copy as Part], own, "nouns");
  return copy;
}

function replace(parts: readonly Part[], texts: NounTexts, place: string): void {
  if (parts.length === 0) throw new Error(`no noun has ${place}`);
  for (const [name, text] of Object.entries(texts)) {
    if (isTree(text)) {
      const inside = parts.map((part) => partOf(part, name)).filter((part) => part !== undefined);
      replace(inside, text, `${place}.${name}`);
    } else {
      for (const part of parts) part[name] = text;
    }
  }
}

function isTree(text: NounTexts[string]): text is NounTexts {
  return typeof text === "object" && !Array.isArray(text);
}

function partOf(whole: Part, step: string): Part | undefined {
  if (Array.isArray(whole)) return whole.find(({ name }) => name === step);
  if (step === "values" || step === "options") whole[step] ??= {};
  return whole[step] as Part | undefined;
}
