/**
 * Returns `web-1, web-2 and 3 more`. The total counts the names, even those that are not given.
 * Semicolons separate names that contain commas.
 */
export function firstNames(names: readonly string[], most: number, total = names.length): string {
  const shown = names.slice(0, most);
  const separator = shown.some((name) => name.includes(", ")) ? "; " : ", ";
  const rest = total - shown.length;
  return shown.join(separator) + (rest > 0 ? ` and ${rest} more` : "");
}
