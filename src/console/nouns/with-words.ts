// Replaces the English texts in the nouns' descriptions, for a translation.

/**
 * Texts by path: `agents.title`, `agents.columns.last seen.label`, `agents.acts.disable.happens`.
 * In a path, columns and filters are identified by their `name`. `*` means all nouns that have
 * the rest of the path. Later texts replace earlier ones.
 */
export type NounWords = Readonly<Record<string, string | readonly string[]>>;

type Part = Record<string, unknown> | { name: string }[];

/** Throws if a path does not exist. */
export function withWords<T extends object>(nouns: T, words: NounWords): T {
  const copy = structuredClone(nouns);
  const byName = copy as Readonly<Record<string, Part>>;
  for (const [path, text] of Object.entries(words)) {
    const [noun = "", ...steps] = path.split(".");
    const last = steps.pop() ?? "";
    const named = noun === "*" ? Object.values(byName) : [byName[noun]];
    const parts = named.flatMap((each) => {
      const part = steps.reduce(partOf, each);
      return part === undefined || Array.isArray(part) ? [] : [part];
    });
    if (parts.length === 0) throw new Error(`no noun has ${path}`);
    for (const part of parts) part[last] = text;
  }
  return copy;
}

function partOf(whole: Part | undefined, step: string): Part | undefined {
  if (Array.isArray(whole)) return whole.find(({ name }) => name === step) as Part | undefined;
  if (whole && (step === "values" || step === "options")) whole[step] ??= {};
  return whole?.[step] as Part | undefined;
}

/** Returns `*.columns.created.label` and so on, for texts by name. */
export function wordsOfAll(
  part: "columns" | "details" | "filters" | "acts",
  field: string,
  texts: Readonly<Record<string, string>>,
): NounWords {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`*.${part}.${name}.${field}`, text]),
  );
}
