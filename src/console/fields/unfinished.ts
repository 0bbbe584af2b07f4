// Detects incomplete dates and numbers. Browsers report their value as empty, as if nothing had
// been entered.

import { type FormEvent, useState } from "react";
import { texts } from "../texts/index.ts";

/**
 * Returns `watch`, to be spread into the input, and `problem`, the error for the input's field.
 * `text` is the text of the error.
 */
export function useUnfinished(text: string = texts.words.unfinishedDate) {
  const [isUnfinished, setUnfinished] = useState(false);
  const check = ({ currentTarget }: FormEvent<HTMLInputElement>) =>
    setUnfinished(currentTarget.validity.badInput);
  return {
    problem: isUnfinished ? text : null,
    watch: { onBlur: check, onInvalid: check },
  };
}

/**
 * Shows the error at each field with an incomplete date or number. Returns the first such input.
 */
export function findUnfinished(within: HTMLElement | null): HTMLInputElement | undefined {
  const inputs = [...(within?.querySelectorAll("input") ?? [])];
  const unfinished = inputs.filter(({ validity }) => validity.badInput);
  for (const input of unfinished) input.checkValidity();
  return unfinished[0];
}
