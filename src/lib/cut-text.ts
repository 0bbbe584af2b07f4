// Limits the length of text.

/** Returns at most `max` UTF-16 units; the last is an ellipsis if the text was cut. */
export function cutText(text: string, max: number): string {
  // A surrogate pair that was cut in half becomes a replacement character.
  return text.length <= max ? text.toWellFormed() : `${text.slice(0, max - 1).toWellFormed()}…`;
}
