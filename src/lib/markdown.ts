// Reads Markdown line by line, as far as this project uses it.

/** A definition is the target of links that name it: `[name]: https://…`. */
type LineKind = "text" | "heading" | "table" | "definition" | "comment" | "code" | "blank";

export interface Line {
  kind: LineKind;
  text: string;
}

export interface Block {
  /** The number of its first line, which is the fence if it has one. Counted from 0. */
  at: number;
  /** The word after the fence; empty for indented blocks. */
  language: string;
}

export interface Page {
  lines: Line[];
  blocks: Block[];
}

export function readPage(text: string): Page {
  const page: Page = { lines: [], blocks: [] };
  let fence: string | null = null;
  let isComment = false;
  let isList = false;
  for (const [at, line] of text.split("\n").entries()) {
    const before = page.lines[at - 1]?.kind ?? "blank";
    const add = (kind: LineKind) => page.lines.push({ kind, text: line });
    const opened = /^ *(`{3,})([\w-]*)/.exec(line);
    if (fence !== null) {
      add("code");
      if (line.trim() === fence) fence = null;
    } else if (isComment || line.startsWith("<!--")) {
      add("comment");
      isComment = !line.endsWith("-->");
    } else if (opened) {
      [, fence = null] = opened;
      page.blocks.push({ at, language: opened[2] ?? "" });
      add("code");
    } else if (line.trim() === "") add("blank");
    else if (isIndented(line) && !isList && (before === "blank" || before === "code")) {
      if (page.lines.slice(0, at).findLast(({ kind }) => kind !== "blank")?.kind !== "code") {
        page.blocks.push({ at, language: "" });
      }
      add("code");
    } else if (/^#+ /.test(line)) add("heading");
    else if (/^ *\|/.test(line)) add("table");
    else if (/^\[[^\]]+\]: \S+$/.test(line)) add("definition");
    else add("text");
    if (line.trim() !== "" && !line.startsWith(" ")) isList = itemStart.test(line);
  }
  return page;
}

/** The bullet or number of an item of a list, with its indentation. */
export const itemStart = /^ *(?:[-*+]|\d+[.)])(?: +|$)/;

function isIndented(line: string): boolean {
  return line.startsWith("    ");
}
