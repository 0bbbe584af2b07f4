/**
 * Whether a server's URL, with or without a scheme, contains a user, a query or a fragment, even an
 * empty one.
 */
export function hasMoreThanPlace(url: string): boolean {
  return /[?#]|^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i.test(url) || hasUser(url);
}

/** Also finds a user behind blanks or a wrong number of slashes, which the parser ignores. */
function hasUser(url: string): boolean {
  const whole = URL.canParse(url) ? url : `http://${url}`;
  if (!URL.canParse(whole)) return false;
  const { username, password } = new URL(whole);
  return username !== "" || password !== "";
}
