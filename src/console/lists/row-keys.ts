// Keys that move between the rows of a list, and that select or peek at the current row. The focus
// is the cursor: it is on the link to the row's page, so that Enter opens the page.

import { type RefObject, useEffect, useEffectEvent } from "react";
import { useSingleKeys } from "../shell/shortcuts/single-keys.ts";

/** The elements in which keys have another meaning. */
const elsewhere = 'textarea, select, input:not([type="checkbox"]), [popover], dialog';

/** Returns the link or button that opens a row, or null. Rows without a page can lack one. */
export function openerOf(row: HTMLElement): HTMLElement | null {
  const title = row.querySelector<HTMLElement>('[data-card="title"] :is(a, button)');
  return title ?? row.querySelector<HTMLElement>("td a");
}

/** Without `onPeek`, the keys do nothing. */
export function useRowKeys<T>(
  frame: RefObject<HTMLElement | null>,
  rows: readonly T[],
  onPeek: ((row: T, key: "space" | "move") => void) | undefined,
): void {
  const isOn = useSingleKeys() && onPeek !== undefined;
  const press = useEffectEvent((key: string): boolean => {
    const all = [...(frame.current?.querySelectorAll<HTMLElement>("tbody > tr") ?? [])];
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const peek = (index: number, how: "space" | "move") => {
      const row = rows[index];
      if (row !== undefined) onPeek?.(row, how);
    };
    if (key === "j" || key === "k") {
      const to = Math.min(Math.max(at + (key === "j" ? 1 : -1), 0), all.length - 1);
      const row = all[to];
      if (row) (openerOf(row) ?? row.querySelector<HTMLElement>("input, button"))?.focus();
      peek(to, "move");
      return true;
    }
    const row = all[at];
    if (!row) return false;
    if (key === "x") row.querySelector<HTMLElement>(".select-cell input")?.click();
    // On a button or checkbox, Space presses it.
    else if (key === " " && document.activeElement?.localName === "a") peek(at, "space");
    else return false;
    return true;
  });
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const { target, key, isComposing, defaultPrevented, ctrlKey, metaKey, altKey } = event;
      if (isComposing || defaultPrevented || ctrlKey || metaKey || altKey) return;
      if (document.querySelector("dialog[open]")) return;
      if (target instanceof Element && target.closest(elsewhere)) return;
      if (press(key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
}
