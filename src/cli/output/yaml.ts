// YAML for people. The library loads slowly, so only commands that may print YAML load it.

import { escaped, hasControlCharacters } from "./printable.ts";

let yaml: typeof import("yaml") | null = null;

export async function loadYaml(): Promise<void> {
  yaml ??= await import("yaml");
}

/** Requires `loadYaml`. Escapes characters that control a terminal; the data stays the same. */
export function toYaml(value: unknown): string {
  if (!yaml)
    throw new Error("toYaml before loadYaml: is the command's `output` wrong in the table?");
  const document = new yaml.Document(value);
  yaml.visit(document, {
    Scalar(_key, scalar) {
      // Only double-quoted text can have escapes.
      const needsEscapes = typeof scalar.value === "string" && hasControlCharacters(scalar.value);
      if (needsEscapes) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return escaped(document.toString(), (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
