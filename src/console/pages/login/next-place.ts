// Where somebody goes after the login.

/** What an address asks for, when it is a place in this console; else its first page. */
export function nextPlace(next: string | null, origin: string): string {
  if (!next?.startsWith("/") || !URL.canParse(next, origin)) return "/";
  // As the browser reads it: without tabs, and with what the dots mean.
  const url = new URL(next, origin);
  if (url.origin !== origin || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
