/** Focuses the page when the focused element is about to disappear, or has done so. */
export function focusMain(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}
