// Fills the generated parts of the documentation. A part is between two comments, each on a line of
// its own: `<!-- generated: NAME WORDS -->` and `<!-- /generated -->`.

import { wrapTo } from "../../src/cli/output/text-width.ts";

export type Writer = (words: readonly string[]) => string;

const part = /^<!-- generated: (\S+) ?(.*) -->\n(?:.*\n)*?<!-- \/generated -->$/gm;

/** Throws if no writer has the name of a part. */
export function filled(text: string, writers: Readonly<Record<string, Writer>>): string {
  return text.replace(part, (_, name: string, words: string) => {
    const write = writers[name];
    if (!write) throw new Error(`nothing writes the generated part ${name}`);
    const head = `<!-- generated: ${[name, words].filter(Boolean).join(" ")} -->`;
    return `${head}\n\n${write(words.split(" ")).trim()}\n\n<!-- /generated -->`;
  });
}

/** Returns a Markdown table. Escapes characters that would end a cell. */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => {
    const escaped = cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " "));
    return `| ${escaped.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |");
  };
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Wraps a paragraph or, with a bullet, a list item. */
export function wrapped(text: string, bullet = ""): string {
  const lines = wrapTo(text, 120 - bullet.length);
  return bullet + lines.replaceAll("\n", `\n${" ".repeat(bullet.length)}`);
}

export function inCode(text: string): string {
  return `\`${text}\``;
}
