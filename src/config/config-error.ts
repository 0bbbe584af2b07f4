// A setting that cannot be used.

/** The message is the one line to show. */
export class ConfigError extends Error {}
