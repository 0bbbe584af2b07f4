/** Returns at most `max` UTF-16 code units. A text that was cut ends in an ellipsis. */
export function cutText(text: string, max: number): string {
  // The cut may split a surrogate pair. The remaining half becomes a replacement character.
  return text.length <= max ? text.toWellFormed() : `${text.slice(0, max - 1).toWellFormed()}…`;
}

/** Returns the beginning of the text in double quotes. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
