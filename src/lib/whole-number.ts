// Parses whole numbers: decimal digits and nothing else. `Number()` would also accept `0x1F90`, `1e3`, ` 80 ` and
// the empty text.

/** Returns the number; null if the text is not a whole number or not a safe integer. */
export function parseWholeNumber(text: string): number | null {
  if (!/^-?(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
