/** Returns `cmd_…7Q4M2X`. Ids that were created on the same day differ at the end. */
export function shortId(id: string): string {
  return id.replace(/^([a-z]+_)\w+(\w{6})$/, "$1…$2");
}
