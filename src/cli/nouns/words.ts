// Names of the API's fields in the command line.

/** `sessionsEnded` is `sessions ended`. */
export function wordsOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `sessionsEnded` is `--sessions-ended`. */
export function flagNamed(field: string): string {
  return `--${wordsOf(field).replaceAll(" ", "-")}`;
}

/** `--sessions-ended` is `sessionsEnded`. The parser uses the same names. */
export function fieldNamed(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
