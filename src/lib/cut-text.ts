/** Returns at most `max` UTF-16 units, ending in an ellipsis if the text was cut. */
export function cutText(text: string, max: number): string {
  // If the cut splits a surrogate pair, toWellFormed turns the half into a replacement character.
  return text.length <= max ? text.toWellFormed() : `${text.slice(0, max - 1).toWellFormed()}…`;
}
