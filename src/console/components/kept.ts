// What the browser stores: the theme and the columns of tables, nothing else.

type Key = "theme" | `table.${string}`;

/** Null if nothing is stored, or the browser allows no storage. */
export function readKept(key: Key): string | null {
  try {
    return localStorage.getItem(`platform.${key}`);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function keep(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`platform.${key}`);
    else localStorage.setItem(`platform.${key}`, value);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
