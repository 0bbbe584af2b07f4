// Decides which error a field shows. Submitting a form shows all errors at once and moves the focus
// to the first one. An error disappears when the user edits the field.

import { type FormEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { texts } from "../texts/index.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The form, dialog or page that was submitted last, until the user edits one of its fields. */
let submitted: Element | null = null;
/** How long to wait after a submission until its errors have been set or removed. */
const handledMs = 50;

/** `error` comes from the form's code. Spread `watch` into an element around the control. */
export function useShownError(error: string | null) {
  const place = useRef<HTMLDivElement>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const [edited, setEdited] = useState<string | null>(null);
  if (edited !== null && error !== edited) setEdited(null);
  const shown = missing ?? (error === edited ? null : error);
  useOnSubmit(place, () => {
    setEdited(null);
    setMissing(null);
  });
  useEffect(() => {
    if (shown !== null) focusFirst(place.current);
  }, [shown]);
  return {
    shown,
    watch: {
      ref: place,
      onInput: ({ target }: FormEvent) => {
        setEdited(error);
        if ((target as Control).validity?.valueMissing !== true) setMissing(null);
      },
      // The browser reports the first missing value only, and in its own language.
      onInvalidCapture: (event: FormEvent) => {
        const control = event.target as Control;
        if (!control.validity.valueMissing) return;
        event.preventDefault();
        submitted = control.form ?? control.closest(frames);
        setMissing(texts.words.missing);
      },
    },
  };
}

const frames = "dialog, main";

/** A field outside a form element belongs to the form in its dialog or page. */
function useOnSubmit(place: RefObject<HTMLElement | null>, then: () => void): void {
  const handle = useEffectEvent(then);
  useEffect(() => {
    const whole = place.current?.closest(`form, ${frames}`);
    if (!whole) return;
    let handling: number | undefined;
    const onSubmit = ({ target }: Event) => {
      if ((target as Element).closest(frames) !== whole.closest(frames)) return;
      submitted = whole;
      handling = window.setTimeout(() => handle(), handledMs);
    };
    const onInput = ({ target }: Event) => {
      submitted = null;
      if (place.current?.contains(target as Node)) clearTimeout(handling);
    };
    whole.addEventListener("submit", onSubmit);
    whole.addEventListener("input", onInput);
    return () => {
      // The next page uses the same `main` element.
      if (submitted === whole) submitted = null;
      whole.removeEventListener("submit", onSubmit);
      whole.removeEventListener("input", onInput);
    };
  }, [place]);
}

/** For pages on which only some fields are inside a form element. */
export function focusFirstError(): void {
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}

/** Focuses the first field with an error, but only after a submission, not while the user types. */
function focusFirst(within: HTMLElement | null): void {
  if (within === null || submitted?.contains(within) !== true) return;
  submitted.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
