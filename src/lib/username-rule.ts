/**
 * Matches valid usernames in NFKC form. They fit in a log line and a shell word, and may be e-mail
 * addresses.
 */
export const usernamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** Follows the field's name. */
export const usernameRule =
  "must begin with a letter or digit and contain only letters, digits and . _ @ + -";
