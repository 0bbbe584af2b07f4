// After Back, the focus returns to the link or button that led away from the page. Because the page
// is rendered again, the element is found by its kind and name.

import { useEffect } from "react";
import { useLocation } from "react-router";

interface Left {
  kind: string;
  name: string;
  /** The index among the elements of this kind with this name. */
  index: number;
}

const mostEntries = 200;
/** The element last clicked in each entry of the browser's history, by the entry's key. */
const lastUsed = new Map<string, Left>();

/** Remembers which link or button the user last clicked on each page. */
export function useRememberedFocus(): void {
  const { key } = useLocation();
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const element = target instanceof Element && target.closest("main a[href], main button");
      if (!(element instanceof HTMLElement)) return;
      const kind = element.localName;
      const name = nameOf(element);
      const index = allNamed(kind, name).indexOf(element);
      lastUsed.delete(key);
      lastUsed.set(key, { kind, name, index });
      if (lastUsed.size > mostEntries) lastUsed.delete(lastUsed.keys().next().value ?? "");
    };
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, [key]);
}

/**
 * Moves the focus from `start` to the element that the user last clicked in this entry of the
 * history. Waits until the page shows the element, and gives up if the user moves the focus before
 * that. Returns a function that cancels this.
 */
export function returnFocus(key: string, start: HTMLElement): () => void {
  const left = lastUsed.get(key);
  const main = start.closest("main");
  if (!left || !main) return () => undefined;
  const observer = new MutationObserver(() => look());
  const look = () => {
    const all = allNamed(left.kind, left.name);
    const element = all[left.index] ?? all[0];
    if (document.activeElement !== start) observer.disconnect();
    else if (element?.checkVisibility({ visibilityProperty: true })) {
      observer.disconnect();
      element.focus();
    }
  };
  observer.observe(main, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}

function allNamed(kind: string, name: string): HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>(`main ${kind}`);
  return [...all].filter((element) => nameOf(element) === name);
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute("href") ?? element.ariaLabel ?? element.textContent ?? "";
}
