import type { Plugin } from "rolldown";

/**
 * Escapes all characters that are not ASCII. If a file has even one, Node stores all of its text
 * with 16 bits per character, and takes longer to hash and parse it.
 */
export function asciiOnly(): Plugin {
  return {
    name: "ascii-only",
    renderChunk: (code) => code.replace(/(\\*)([\u0080-\uffff])/g, escaped),
  };
}

/**
 * The escape is valid in strings, templates, regular expressions and names. Both halves of a
 * character with more than 16 bits are escaped. Throws if the character is already escaped.
 */
function escaped(found: string, backslashes: string, unit: string): string {
  if (backslashes.length % 2 === 1) throw new Error(`${found} needs no backslash`);
  return `${backslashes}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
