// Finds numbers that JSON.parse has changed: JavaScript rounds large whole numbers.

import { cutText } from "../cut-text.ts";
import { pointerStep } from "./json-pointer.ts";

/** Follows the number, or its place, in a message. */
export const tooLarge = `is too large: whole numbers above ${Number.MAX_SAFE_INTEGER} would be rounded`;

/** Whether the number is certainly the one that was written. Fractions count as exact. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Returns null, or which number is not exact: `the number at /a/0 is too large: …`. */
export function problemOfNumbers(value: unknown): string | null {
  const pointer = pointerToInexact(value);
  if (pointer === null) return null;
  return `the number${pointer === "" ? "" : ` at ${cutText(pointer, 200)}`} ${tooLarge}`;
}

function pointerToInexact(value: unknown): string | null {
  if (typeof value === "number") return isExact(value) ? null : "";
  if (typeof value !== "object" || value === null) return null;
  // `Object.entries` would take three times as long, for every call of an operator.
  for (const key of Object.keys(value)) {
    const inside = pointerToInexact((value as Record<string, unknown>)[key]);
    if (inside !== null) return `/${pointerStep(key)}${inside}`;
  }
  return null;
}
