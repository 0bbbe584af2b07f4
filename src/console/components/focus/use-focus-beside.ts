import { type RefObject, useLayoutEffect } from "react";
import { focusMain, whenFocusIsLost } from "./focus-main.ts";

/**
 * When the item that has the focus is removed from its list, focuses the next item that remains, or
 * else the previous one, or the page if there is none. Does not scroll, because lists change while
 * the user reads them.
 */
export function useFocusBeside(item: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const left = item.current;
    return () => {
      if (left?.contains(document.activeElement)) whenFocusIsLost(focusBeside(left));
    };
  }, [item]);
}

/**
 * Returns a function that focuses the item, or what is beside it if it is no longer in its list.
 * Must be called while the item is in its list. Without an item, the function focuses the page.
 */
export function focusBeside(item: Element | null | undefined): () => void {
  if (!item) return focusMain;
  const all = [...(item.parentElement?.children ?? [])];
  const at = all.indexOf(item);
  const inOrder = [...all.slice(at), ...all.slice(0, at).toReversed()];
  return () => {
    const nearest = inOrder.find(({ isConnected }) => isConnected);
    const control = nearest && firstShown(nearest);
    if (control) control.focus({ preventScroll: true });
    else focusMain();
  };
}

function firstShown(within: Element): HTMLElement | undefined {
  const all = within.querySelectorAll<HTMLElement>("a, button:enabled");
  return [...all].find((control) => control.checkVisibility());
}
