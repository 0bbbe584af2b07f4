// Numbers that are typed as text.

/** Returns null if the text is not a finite number in decimal notation. */
export function numberIn(text: string): number | null {
  const digits = text.trim();
  const value = Number(digits);
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits);
  return isNumber && Number.isFinite(value) ? value : null;
}

/** Longer whole numbers would be rounded. */
export function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
