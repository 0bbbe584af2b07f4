// A date that is only half written: browsers give an empty value for it, as if nothing had been written.

import { type FormEvent, useState } from "react";
import { texts } from "../texts/index.ts";

/** `watch` is to be spread into the input; `problem` is what to say at its field. */
export function useUnfinished() {
  const [isUnfinished, setUnfinished] = useState(false);
  const look = ({ currentTarget }: FormEvent<HTMLInputElement>) =>
    setUnfinished(currentTarget.validity.badInput);
  return {
    problem: isUnfinished ? texts.words.unfinishedDate : null,
    watch: { onBlur: look, onInvalid: look },
  };
}

/** Shows at its field what is half written; answers the first of these inputs. */
export function findUnfinished(within: HTMLElement | null): HTMLInputElement | undefined {
  const inputs = [...(within?.querySelectorAll("input") ?? [])];
  const unfinished = inputs.filter(({ validity }) => validity.badInput);
  for (const input of unfinished) input.checkValidity();
  return unfinished[0];
}
