// Text from elsewhere (names, messages and outputs of agents) on its way to a terminal: what would steer
// the terminal, or make one line look like two, is shown as its escape. Machine forms do without.

/** Control characters, but for line feed and tab; and what turns the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** For text of several lines. */
export function printableText(text: string): string {
  return text.replace(steering, escapeOf);
}

/** For a cell of a table. */
export function printableLine(text: string): string {
  return printableText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

function escapeOf(character: string): string {
  if (character === "\r") return "\\r";
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
