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
      if (!left?.contains(document.activeElement)) return;
      const all = [...(left.parentElement?.children ?? [])];
      const at = all.indexOf(left);
      const others = [...all.slice(at + 1), ...all.slice(0, at).toReversed()];
      whenFocusIsLost(() => {
        const beside = others.find(({ isConnected }) => isConnected);
        const control = beside && firstShown(beside);
        if (control) control.focus({ preventScroll: true });
        else focusMain();
      });
    };
  }, [item]);
}

function firstShown(within: Element): HTMLElement | undefined {
  const all = within.querySelectorAll<HTMLElement>("a, button:enabled");
  return [...all].find((control) => control.checkVisibility());
}
