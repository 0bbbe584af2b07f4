// Reads the examples of a Markdown document, and replaces their outputs. An example is a line
// `$ command` and its output in a block without a language, or a comment `<!-- $ command -->`.
// Blocks with a language are not run: `text` is for what cannot be run, and `sh` for scripts.

export interface Example {
  /** Can have several lines, each of which except the last ends with `\`. */
  command: string;
  /** The shown output without its indentation, or null for a comment, whose output is ignored. */
  output: string[] | null;
  /** The line number of the `$`, counted from 0. */
  at: number;
  /** The lines of the output: `from` is included, `to` is excluded. */
  from: number;
  to: number;
  indent: string;
}

export interface Script {
  at: number;
  text: string;
}

export interface Manual {
  lines: string[];
  examples: Example[];
  /** The blocks with the language `sh`. */
  scripts: Script[];
  /** The first lines of blocks that have no language, but are not examples. */
  unmarked: number[];
}

export function readManual(text: string): Manual {
  const lines = text.split("\n");
  const manual: Manual = { lines, examples: [], scripts: [], unmarked: [] };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const comment = /^<!-- \$ (.*) -->$/.exec(line)?.[1];
    const fence = /^```(\w*)$/.exec(line)?.[1];
    if (comment !== undefined) {
      manual.examples.push({ command: comment, output: null, at, from: at, to: at, indent: "" });
      at++;
    } else if (fence !== undefined) {
      const end = endOfFence(lines, at);
      if (fence === "") readBlock(manual, at + 1, end, "");
      if (fence === "sh") {
        manual.scripts.push({ at, text: lines.slice(at + 1, end).join("\n") });
      }
      at = end + 1;
    } else if (line.startsWith(indentation)) {
      const end = endOfIndented(lines, at);
      readBlock(manual, at, end, indentation);
      at = end;
    } else {
      at++;
    }
  }
  return manual;
}

/**
 * Reads a page that its reader follows: each indented block is for the reader's shell as it is,
 * without prompts. A block `text` right below it shows its output. Other blocks with a language are
 * not run.
 */
export function readPage(text: string): Manual {
  const lines = text.split("\n");
  const manual: Manual = { lines, examples: [], scripts: [], unmarked: [] };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.startsWith("```")) {
      at = endOfFence(lines, at) + 1;
    } else if (line.startsWith(indentation)) {
      const end = endOfIndented(lines, at);
      const command = lines.slice(at, end).map((each) => each.slice(indentation.length));
      const shows = lines[end] === "" && lines[end + 1] === "```text";
      const from = shows ? end + 2 : end;
      const to = shows ? endOfFence(lines, end + 1) : end;
      const output = shows ? lines.slice(from, to) : null;
      manual.examples.push({ command: command.join("\n"), output, at, from, to, indent: "" });
      at = shows ? to + 1 : end;
    } else {
      at++;
    }
  }
  return manual;
}

/** Returns the text with these outputs. Null keeps an output. */
export function withOutputs(manual: Manual, outputs: (string[] | null)[]): string {
  const lines = [...manual.lines];
  for (const [i, { from, to, indent }] of [...manual.examples.entries()].reverse()) {
    const output = outputs[i];
    if (!output) continue;
    lines.splice(from, to - from, ...output.map((line) => (line === "" ? "" : indent + line)));
  }
  return lines.join("\n");
}

const indentation = "    ";

function endOfFence(lines: string[], at: number): number {
  const end = lines.indexOf("```", at + 1);
  if (end < 0) throw new Error(`line ${at + 1}: the fence is not closed`);
  return end;
}

/** Blank lines belong to the block if it continues after them. */
function endOfIndented(lines: string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith(indentation)) end = at + 1;
    else if (line !== "") break;
  }
  return end;
}

function readBlock(manual: Manual, start: number, end: number, indent: string): void {
  const textAt = (at: number) => (manual.lines[at] ?? "").slice(indent.length);
  if (!textAt(start).startsWith("$ ")) {
    manual.unmarked.push(start);
    return;
  }
  for (let at = start; at < end; ) {
    let from = at + 1;
    let command = textAt(at).slice(2);
    while (command.endsWith("\\") && from < end) command += `\n${textAt(from++)}`;
    let to = from;
    let next = from;
    for (; next < end && !textAt(next).startsWith("$ "); next++) {
      if (textAt(next) !== "") to = next + 1;
    }
    const output = Array.from({ length: to - from }, (_, i) => textAt(from + i));
    manual.examples.push({ command, output, at, from, to, indent });
    at = next;
  }
}
