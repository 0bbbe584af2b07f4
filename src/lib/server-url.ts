/**
 * Whether a server's URL, with or without a scheme, has more than a place: a user, a query or a
 * fragment, even if it is empty.
 */
export function hasMoreThanPlace(url: string): boolean {
  return /[?#]|^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i.test(url);
}
