// Names of fields in the API, in the words of the command line.

/** `sessionsEnded` is `sessions ended`. */
export function wordsOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `sessionsEnded` is `--sessions-ended`. */
export function flagNamed(field: string): string {
  return `--${wordsOf(field).replaceAll(" ", "-")}`;
}
