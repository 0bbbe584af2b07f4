/** An incomplete control sequence that is longer than this counts as text. */
const longestSequence = 256;

/**
 * Matches the beginning of a sequence: ESC with parameters but no final character (CSI), or with a
 * text that is not terminated (OSC). Node.js removes `ESC [ 3` as if it were whole.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences consist of them
const openSequence = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[ -/]*)$/;

/**
 * Returns the position of an incomplete control sequence at the end of `text`. If there is none,
 * returns the length of `text`.
 */
export function beginOfOpenSequence(text: string): number {
  const from = Math.max(0, text.length - longestSequence);
  const found = text.slice(from).search(openSequence);
  return found === -1 ? text.length : from + found;
}
