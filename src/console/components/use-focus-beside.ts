import { type RefObject, useLayoutEffect } from "react";

/** When the item that has the focus is removed from its list, focuses the item beside it. */
export function useFocusBeside(item: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const left = item.current;
    return () => {
      if (!left?.contains(document.activeElement)) return;
      const beside = left.nextElementSibling ?? left.previousElementSibling;
      const main = left.closest("main");
      // If the whole list was removed, the new page may already have taken the focus.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const next = beside?.isConnected && beside.querySelector<HTMLElement>("a, button");
        if (next) next.focus();
        else main?.focus({ preventScroll: true });
      });
    };
  }, [item]);
}
