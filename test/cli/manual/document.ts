// The examples of a manual in Markdown, and how to put other outputs in their place.
//
//   - In an indented block, or a fenced one without a language, a line `$ command` is run, and the lines
//     behind it are what it prints, but for blank ones at the end. A command goes on in the next line
//     behind a `\`.
//   - A comment `<!-- $ command -->`, alone in its line, is run too, and prints nothing that counts.
//   - A fenced block with a language is not run: `text` is for what cannot be, `sh` for scripts.

export interface Example {
  /** As bash gets it; may have several lines. */
  command: string;
  /** What the manual says that it prints, without the indentation. Null for a comment. */
  output: string[] | null;
  /** Line of the `$`, from 0. */
  at: number;
  /** Lines of the output: from `from` to before `to`. */
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
  /** The blocks marked `sh`. */
  scripts: Script[];
  /** Lines of blocks that are neither examples nor marked as anything else. */
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
      const end = lines.indexOf("```", at + 1);
      if (end < 0) throw new Error(`line ${at + 1}: the fence is not closed`);
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

/** The text with these outputs in place of those that the manual has; null leaves one as it is. */
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

/** Blank lines belong to the block when it goes on behind them. */
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
