/**
 * Matches usernames in NFKC form. They need no quotes in logs and shells, and may be e-mail
 * addresses.
 */
export const usernamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** The rule as text that follows the field's name. */
export const usernameRule =
  "must begin with a letter or digit and contain only letters, digits and . _ @ + -";
