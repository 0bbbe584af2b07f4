// Short ids: tables show them at a terminal, and commands accept them in place of whole ids.

const digit = "[0-9A-HJKMNP-TV-Z]";
const wholeId = new RegExp(`^([a-z]{3}_${digit}{7})${digit}{13}(${digit}{6})$`);
const gap = /\.{2,3}|…/;

/**
 * Returns `cmd_01KB7QZ..7Q4M2X` for an id, and any other text unchanged. The beginning contains the
 * creation time, to half a minute, which limits a search for the id. The end differs between ids of
 * the same moment, and is what the console shows.
 */
export function shortId(text: string): string {
  return text.replace(wholeId, "$1..$2");
}

/** Splits a short id, or the beginning of an id, whose letters can have either case. */
export function partsOfId(text: string): { begin: string; end: string } {
  const [begin = "", end = ""] = text.split(gap);
  const ulid = begin.indexOf("_") + 1;
  return {
    begin: begin.slice(0, ulid) + begin.slice(ulid).toUpperCase(),
    end: end.toUpperCase(),
  };
}

/** Whether `text` is a short form or the beginning of the id. */
export function mayMean(text: string, id: string): boolean {
  const { begin, end } = partsOfId(text);
  return id.startsWith(begin) && id.endsWith(end);
}
