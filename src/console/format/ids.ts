// Short ids, for where space is limited.

/**
 * Returns the prefix and the last characters, which differ between ids created on the same day:
 * `cmd_…7Q4M2X`.
 */
export function shortId(id: string): string {
  return id.replace(/^([a-z]+_)\w+(\w{6})$/, "$1…$2");
}
