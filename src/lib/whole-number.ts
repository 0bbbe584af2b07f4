// Whole numbers as people write them: decimal digits and nothing else. `Number()` would also take
// `0x1F90`, `1e3`, ` 80 ` and the empty text.

/** The number, or null when the text is none, or one beyond exact counting. */
export function parseWholeNumber(text: string): number | null {
  if (!/^-?(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
