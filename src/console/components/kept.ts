// What the browser keeps of a person's choices: the theme and the columns of tables, nothing else.

/** Null when there is nothing, or the browser keeps nothing. */
export function readKept(key: `theme` | `table.${string}`): string | null {
  try {
    return localStorage.getItem(`platform.${key}`);
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function keep(key: `theme` | `table.${string}`, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`platform.${key}`);
    else localStorage.setItem(`platform.${key}`, value);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}
