// Ids for people.

/** The kind and the end, which tells ids of one day apart: `cmd_…7Q4M2X`. Where room is scarce. */
export function shortId(id: string): string {
  return id.replace(/^([a-z]+_)\w+(\w{6})$/, "$1…$2");
}
