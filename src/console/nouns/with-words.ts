// Replaces the English texts in the nouns' descriptions, for a translation.

/**
 * Texts by path: `agents.title`, `agents.columns.last seen.label`, `agents.acts.disable.happens`.
 * In a path, columns and filters are identified by their `name`.
 */
export type NounWords = Readonly<Record<string, string | readonly string[]>>;

type Part = Record<string, unknown> | { name: string }[];

/** Throws if a path does not exist. */
export function withWords<T extends object>(nouns: T, words: NounWords): T {
  const copy = structuredClone(nouns);
  for (const [path, text] of Object.entries(words)) {
    const steps = path.split(".");
    const last = steps.pop() ?? "";
    const part = steps.reduce<Part | undefined>(partOf, copy as Part);
    if (part === undefined || Array.isArray(part)) throw new Error(`no noun has ${path}`);
    part[last] = text;
  }
  return copy;
}

function partOf(whole: Part | undefined, step: string): Part | undefined {
  if (Array.isArray(whole)) return whole.find(({ name }) => name === step) as Part | undefined;
  if (whole && (step === "values" || step === "options")) whole[step] ??= {};
  return whole?.[step] as Part | undefined;
}
