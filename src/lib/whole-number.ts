/**
 * Accepts decimal digits only; `Number()` also accepts `0x1F90`, `1e3`, ` 80 ` and empty text.
 * Returns null for anything else and beyond the safe integers.
 */
export function parseWholeNumber(text: string): number | null {
  if (!/^-?(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
