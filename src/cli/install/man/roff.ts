// Text in the language of man pages. Whatever a text holds, it is shown as it is.

/** Characters that roff would take for something else, or print as another. */
const escapes: Record<string, string> = {
  "\\": "\\(rs",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  '"': "\\(dq",
};

/** Text of one line, for running text and for arguments of macros. */
export function text(plain: string): string {
  const escaped = plain.replace(/[\\\-'`^~"]/g, (character) => escapes[character] ?? "");
  const ascii = escaped.replace(/[^\n -~]/gu, named);
  return ascii.replace(/^\./, "\\&.");
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

export function bold(plain: string): string {
  return `\\fB${text(plain)}\\fR`;
}

export function italic(plain: string): string {
  return `\\fI${text(plain)}\\fR`;
}

export function section(title: string, ...content: string[]): string {
  return `.SH ${quoted(title)}\n${content.join("")}`;
}

export function subsection(title: string, ...content: string[]): string {
  return `.SS ${quoted(title)}\n${content.join("")}`;
}

/** `content` is roff already. */
export function paragraph(content: string): string {
  return `.PP\n${line(content)}`;
}

/** A list of terms, each with what it means; both are roff already. */
export function terms(entries: readonly (readonly [term: string, meaning: string])[]): string {
  return entries.map(([term, meaning]) => `.TP\n${line(term)}${line(meaning)}`).join("");
}

/** Lines of text that are kept as they are, indented. */
export function verbatim(lines: readonly string[]): string {
  const kept = lines.map((plain) => line(text(plain))).join("");
  return `.PP\n.RS 4\n.nf\n${kept}.fi\n.RE\n`;
}

/** The beginning of a page: what it is called, and that words are neither stretched nor cut. */
export function title(name: string, date: string, source: string, chapter: 1 | 5 = 1): string {
  const words = [name.toUpperCase(), String(chapter), date, source, "platform manual"];
  return `.TH ${words.map(quoted).join(" ")}\n.nh\n.ad l\n`;
}

/** No request of roff begins where a line of text does. */
function line(content: string): string {
  return `${content.replace(/^[.']/, "\\&$&")}\n`;
}

function quoted(plain: string): string {
  return `"${text(plain)}"`;
}
