// Text that must not be longer than its place is.

/** At most `max` UTF-16 units; the last is an ellipsis when there was more. */
export function cutText(text: string, max: number): string {
  // Half of a character that was cut in two becomes a replacement character.
  return text.length <= max ? text.toWellFormed() : `${text.slice(0, max - 1).toWellFormed()}…`;
}
