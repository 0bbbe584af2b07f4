// The rule for usernames, from the API or from the variable for the first owner.

/**
 * Matches valid usernames in composed form (NFKC). They fit in a log line and a shell word, and
 * e-mail addresses are allowed.
 */
export const usernamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** The rule as text that follows the field's name. */
export const usernameRule =
  "must begin with a letter or digit and contain only letters, digits and . _ @ + -";
