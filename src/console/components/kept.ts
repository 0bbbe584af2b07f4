// The settings that the browser stores for the console: only the language, the theme, the columns
// of tables, how times are shown, whether single-key shortcuts and the first steps are on, and
// which bypassed approval the user has dismissed on the overview.

export type KeptKey =
  | "language"
  | "theme"
  | "times"
  | "shortcuts"
  | "firstSteps"
  | "bypass"
  | `table.${string}`;

/** Returns null if nothing is stored or the browser does not allow storage. */
export function readKept(key: KeptKey): string | null {
  try {
    return localStorage.getItem(`platform.${key}`);
  } catch {
    return null;
  }
}

export function keep(key: KeptKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`platform.${key}`);
    else localStorage.setItem(`platform.${key}`, value);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
