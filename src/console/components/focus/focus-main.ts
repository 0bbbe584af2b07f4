/**
 * Calls `refocus` if the element that has the focus disappears in the current change of the page,
 * but not if the whole page does, because the next page focuses itself.
 */
export function whenFocusIsLost(refocus: () => void): void {
  const title = document.querySelector("main h1");
  // Further elements may leave in the same change.
  queueMicrotask(() => {
    if (document.activeElement === document.body && title?.isConnected) refocus();
  });
}

/** Focuses the page when the focused element is about to disappear, or has done so. */
export function focusMain(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}
