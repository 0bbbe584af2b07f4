// Splits a line into words like bash: removes quotes and backslashes, expands nothing.

/** `line` ends at the cursor; `typed` is the word there. */
export function splitLine(line: string): { before: string[]; typed: string } {
  const before: string[] = [];
  let typed = "";
  let inWord = false;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string;
    if (character === "\\" && quote !== "'" && at + 1 < line.length) {
      typed += line[++at];
      inWord = true;
    } else if (quote !== "" && character === quote) {
      quote = "";
    } else if (quote === "" && (character === '"' || character === "'")) {
      quote = character;
      inWord = true;
    } else if (quote === "" && /\s/.test(character)) {
      if (inWord) before.push(typed);
      typed = "";
      inWord = false;
    } else {
      typed += character;
      inWord = true;
    }
  }
  return { before, typed };
}
