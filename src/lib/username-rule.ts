// Which names a user may have: over the API, or by a variable for the first owner.

/** What fits into a log line and a shell word; an e-mail address does. Of a composed name (NFKC). */
export const usernamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** What the pattern asks for, in words that follow the name of the field. */
export const usernameRule =
  "must begin with a letter or digit and hold only letters, digits and . _ @ + -";
