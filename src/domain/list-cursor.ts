// The position where a page of a long list ended, as clients send it back.

export const cursorPattern = /^\d{1,16}\.[0-9A-Za-z_]{1,64}$/;

export function writeCursor({ at, key }: { at: number; key: string | number }): string {
  return `${at}.${key}`;
}

/** `text` must match the pattern. */
export function readCursor(text: string): { at: number; key: string } {
  const [at = "", key = ""] = text.split(".");
  return { at: Number(at), key };
}
