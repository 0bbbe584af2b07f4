// Masks what differs between two runs of a command: ids, secrets and measured values.

/** Labels and column headings whose values differ between runs. */
const always = ["latency", "uptime", "answered by", "hash"];

const mask = "…";

export function normalized(text: string, varies: readonly string[] = []): string {
  const names = [...always, ...varies].map((name) => name.replace(/\W/g, "\\$&")).join("|");
  const fact = new RegExp(`^( *(?:${names})(?: bytes| seconds| ms)?  +).*$`, "gm");
  return withoutColumns(
    numbered(text.replace(fact, `$1${mask}`)),
    new RegExp(`^(?:${names})$`, "i"),
  );
}

/** Numbers ids and secrets in order, without changing their length, so that tables stay aligned. */
function numbered(text: string): string {
  const made = new Map<string, string>();
  const counts = new Map<string, number>();
  const number = (whole: string, kind: string) => {
    const known = made.get(whole);
    if (known) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const next = kind + String(count).padStart(whole.length - kind.length, "0");
    made.set(whole, next);
    return next;
  };
  return text
    .replace(/\b(platform_(?:reg|agent|key)_)[0-9A-Za-z]{49}\b/g, number)
    .replace(/\b([a-z]{3}_)[0-9A-HJKMNP-TV-Z]{26}\b/g, number);
}

/** Hides the columns with these headings. */
function withoutColumns(text: string, name: RegExp): string {
  const [head = "", ...rows] = text.split("\n");
  if (head !== head.toUpperCase()) return text;
  const heads = [...head.matchAll(/\S+(?: \S+)*/g)];
  const hidden = heads.flatMap(({ 0: title, index }, at) =>
    name.test(title) ? [{ from: index, to: heads[at + 1]?.index ?? Number.POSITIVE_INFINITY }] : [],
  );
  const hide = (row: string) =>
    hidden.reduce((line, { from, to }) => {
      const width = Math.min(to, line.length) - from;
      return width > 0 ? line.slice(0, from) + mask.padEnd(width) + line.slice(to) : line;
    }, row);
  return [head, ...rows.map((row) => hide(row).trimEnd())].join("\n");
}
