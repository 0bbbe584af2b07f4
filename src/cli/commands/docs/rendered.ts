// Renders a page of the documentation for a terminal: wraps its text and lays out its tables.

import { styleText } from "node:util";
import { itemStart, type Line, readPage } from "../../../lib/markdown.ts";
import { layOut } from "../../output/table.ts";
import { wrapTo } from "../../output/text-width.ts";
import type { Io } from "../../terminal/io.ts";

/** Longer lines are hard to read. */
const widest = 100;
const codeIndent = "    ";

export function renderPage(text: string, { width, colour }: Pick<Io, "width" | "colour">): string {
  const columns = Math.min(width ?? widest, widest);
  const parts = partsOf(readPage(text).lines).map((part) => {
    const [{ kind, text: first }] = part;
    const lines = part.map((line) => line.text);
    if (kind === "blank") return "";
    if (kind === "code") return codeOf(lines);
    if (kind === "table") return tableOf(lines, columns);
    if (kind === "text") return paragraphOf(lines, columns);
    const heading = wrapTo(plain(first.replace(/^#+ /, "")), columns);
    return colour ? styleText("bold", heading, { validateStream: false }) : heading;
  });
  return `${parts
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

type Part = [Line, ...Line[]];

/** Groups the lines of a paragraph, an item, a table or a block. */
function partsOf(lines: readonly Line[]): Part[] {
  const parts: Part[] = [];
  let last: Line["kind"] = "blank";
  for (const line of lines) {
    const { kind, text } = line;
    const continues = kind === last && ["text", "table", "code"].includes(kind);
    const current = parts.at(-1);
    if (current && continues && !(kind === "text" && itemStart.test(text))) current.push(line);
    else if (kind !== "definition" && kind !== "comment") parts.push([line]);
    last = kind;
  }
  return parts;
}

/** Leaves out the fences, and indents what they contain. */
function codeOf(lines: readonly string[]): string {
  const fence = /^ *`{3,}/;
  if (!fence.test(lines[0] ?? "")) return lines.join("\n");
  return lines
    .filter((line) => !fence.test(line))
    .map((line) => (line === "" ? "" : codeIndent + line))
    .join("\n");
}

function paragraphOf(lines: readonly string[], columns: number): string {
  const text = lines.map((line) => line.trim()).join(" ");
  const indent = /^ */.exec(lines[0] ?? "")?.[0] ?? "";
  const mark = itemStart.exec(text)?.[0] ?? "";
  const hanging = " ".repeat(indent.length + mark.length);
  const room = columns - hanging.length;
  const wrapped = wrapTo(plain(text.slice(mark.length)), room).replaceAll("\n", `\n${hanging}`);
  return indent + mark + wrapped;
}

function tableOf(lines: readonly string[], columns: number): string {
  const [heads = [], , ...rows] = lines.map(cellsOf);
  const grid = {
    columns: heads.map((head) => ({ head: head.toUpperCase(), firm: false, wraps: true })),
    rows: rows.map((row) => heads.map((_, at) => row[at] ?? "")),
    headed: heads.some((head) => head !== ""),
    paint: (text: string) => text,
  };
  return layOut(grid, columns, false).text.trimEnd();
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/);
  return cells.map((cell) => plain(cell.trim().replaceAll("\\|", "|")));
}

/** Leaves out marks of emphasis and code, and the targets of links inside the documentation. */
function plain(text: string): string {
  const parts = text.split(/(`[^`]+`)/).map((part, at) => {
    if (at % 2 === 1) return `\u0000${part.slice(1, -1)}\u0000`;
    return part.replace(/\*\*|(?<!\w)[*_](?=\w)|(?<=[\w.*])[*_](?!\w)/g, "");
  });
  return parts
    .join("")
    .replace(/\[([^\]]*)\]\((\S+?)\)/g, (_, shown: string, target: string) =>
      /^https?:/.test(target) ? `${shown} (${target})` : shown,
    )
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, "$1")
    .replaceAll("\u0000", "");
}
