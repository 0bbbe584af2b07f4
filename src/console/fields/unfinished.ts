// Detects incomplete dates. Browsers report their value as empty, as if nothing had been entered.

import { type FormEvent, useState } from "react";
import { texts } from "../texts/index.ts";

/** Returns `watch`, to be spread into the input, and `problem`, the error for the input's field. */
export function useUnfinished() {
  const [isUnfinished, setUnfinished] = useState(false);
  const check = ({ currentTarget }: FormEvent<HTMLInputElement>) =>
    setUnfinished(currentTarget.validity.badInput);
  return {
    problem: isUnfinished ? texts.words.unfinishedDate : null,
    watch: { onBlur: check, onInvalid: check },
  };
}

/** Shows the error at each field with an incomplete date. Returns the first such input. */
export function findUnfinished(within: HTMLElement | null): HTMLInputElement | undefined {
  const inputs = [...(within?.querySelectorAll("input") ?? [])];
  const unfinished = inputs.filter(({ validity }) => validity.badInput);
  for (const input of unfinished) input.checkValidity();
  return unfinished[0];
}
