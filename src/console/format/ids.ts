// Short ids, for where space is limited.

/** The prefix and the end, which differs between ids of one day: `cmd_…7Q4M2X`. */
export function shortId(id: string): string {
  return id.replace(/^([a-z]+_)\w+(\w{6})$/, "$1…$2");
}
