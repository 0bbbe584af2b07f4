// Writes roff, the language of man pages. Any text is shown unchanged.

import type { CommandTable } from "../../command.ts";

/** Characters that have a special meaning in roff, or that roff replaces. */
const escapes: Record<string, string> = {
  "\\": "\\(rs",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  '"': "\\(dq",
};

/** Escapes text without line breaks, for running text and for arguments of macros. */
export function text(plain: string): string {
  const escaped = plain.replace(/[\\\-'`^~"]/g, (character) => escapes[character] ?? "");
  const ascii = escaped.replace(/[^\n -~]/gu, named);
  return ascii.replace(/^\./, "\\&.");
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

const inFont = (font: string) => (plain: string) => `\\f${font}${text(plain)}\\fR`;
export const bold = inFont("B");
export const italic = inFont("I");

/** Here and below, `content`, terms and meanings are already in roff. */
const titledBy = (macro: string) => {
  return (title: string, ...content: string[]) => `.${macro} ${quoted(title)}\n${content.join("")}`;
};
export const section = titledBy("SH");
export const subsection = titledBy("SS");

export function paragraph(content: string): string {
  return `.PP\n${line(content)}`;
}

export function terms(entries: readonly (readonly [term: string, meaning: string])[]): string {
  return entries.map(([term, meaning]) => `.TP\n${line(term)}${line(meaning)}`).join("");
}

export function verbatim(lines: readonly string[]): string {
  const kept = lines.map((plain) => line(text(plain))).join("");
  return `.PP\n.RS 4\n.nf\n${kept}.fi\n.RE\n`;
}

export interface About {
  version: string;
  /** In ISO 8601; undefined if the date is not known. */
  buildTime: string | undefined;
  table: CommandTable;
}

/** Turns off justification and hyphenation. */
export function heading(page: string, { version, buildTime }: About, chapter: 1 | 5 = 1): string {
  const date = buildTime?.slice(0, 10) ?? "";
  const words = [page.toUpperCase(), String(chapter), date, `platform ${version}`];
  return `.TH ${[...words, "platform manual"].map(quoted).join(" ")}\n.nh\n.ad l\n`;
}

/** Escapes a line that roff would read as a request. */
function line(content: string): string {
  return `${content.replace(/^[.']/, "\\&$&")}\n`;
}

function quoted(plain: string): string {
  return `"${text(plain)}"`;
}
