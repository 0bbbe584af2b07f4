/**
 * Returns null unless the text is a safe integer in decimal digits, without leading zeros.
 * `Number()` would also accept `0x1F90`, `1e3`, ` 80 ` and empty text.
 */
export function parseWholeNumber(text: string): number | null {
  if (!/^-?(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
