// YAML, for people. The library takes as long to load as a short command takes, so it is loaded for the
// commands that may print any: before they run, because printing itself does not wait.

import { escaped, steers } from "./printable.ts";

let yaml: typeof import("yaml") | null = null;

export async function loadYaml(): Promise<void> {
  yaml ??= await import("yaml");
}

/**
 * What would steer a terminal is escaped: read as YAML, it is the same data. `loadYaml` must have ended
 * before.
 */
export function toYaml(value: unknown): string {
  if (!yaml)
    throw new Error("toYaml before loadYaml: is the command's `output` wrong in the table?");
  const document = new yaml.Document(value);
  yaml.visit(document, {
    Scalar(_key, scalar) {
      // Only text in double quotes has escapes.
      const needsEscapes = typeof scalar.value === "string" && steers(scalar.value);
      if (needsEscapes) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return escaped(document.toString(), (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
