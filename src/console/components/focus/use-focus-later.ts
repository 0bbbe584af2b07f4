import { useEffect, useRef } from "react";

type Find = () => Element | null | undefined;

/** Moves the focus after the page has changed, because the focused element may be gone by then. */
export function useFocusLater(): (find: Find) => void {
  const next = useRef<Find | null>(null);
  useEffect(() => {
    const found = next.current?.();
    if (found instanceof HTMLElement) found.focus();
    // If the field contains a text, such as a default, typing replaces it.
    if (found instanceof HTMLInputElement) found.select();
    next.current = null;
  });
  return (find) => {
    next.current = find;
  };
}

export function firstControl(within: Element | null | undefined): Element | null | undefined {
  return within?.querySelector("input, select, textarea");
}
