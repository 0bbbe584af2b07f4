/** Orders texts by their code units, which does not depend on a language. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
