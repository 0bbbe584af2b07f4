// A setting that cannot be used.

/** The message is the one line to show: it names the setting, the problem and an example. */
export class ConfigError extends Error {
  /** Without `PLATFORM_`. */
  readonly variable: string;
  readonly #rest: string;

  constructor(variable: string, problem: string, example: string) {
    const rest = `${problem} (for example: ${example})`;
    super(`PLATFORM_${variable}: ${rest}`);
    this.variable = variable;
    this.#rest = rest;
  }

  /** The same of a value that came by a flag. */
  saidBy(flag: string): ConfigError {
    this.message = `${flag}: ${this.#rest}`;
    return this;
  }
}
