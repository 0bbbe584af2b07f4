// The rule for usernames, from the API or from the variable for the first owner.

/** For composed names (NFKC). They fit in a log line and a shell word, and e-mail addresses are allowed. */
export const usernamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** The rule as a text that follows the name of the field. */
export const usernameRule =
  "must begin with a letter or digit and contain only letters, digits and . _ @ + -";
