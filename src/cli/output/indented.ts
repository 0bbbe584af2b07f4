// Text moved to the right.

/** Two spaces before each line that is not empty. Lines end with "\n" alone, whatever else is in them. */
export function indented(text: string): string {
  return text.replace(/(^|\n)(?=[^\n])/g, "$1  ");
}
