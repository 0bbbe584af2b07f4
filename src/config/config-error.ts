// A setting that cannot be used.

/** The message is the one line to show: it names the setting, the problem and an example. */
export class ConfigError extends Error {
  /** Without `PLATFORM_`. */
  readonly variable: string;
  /** The other setting that the problem names, likewise. */
  readonly partner: string | undefined;
  readonly #rest: string;

  constructor(variable: string, problem: string, example: string, partner?: string) {
    const rest = `${problem} (for example: ${example})`;
    super(`PLATFORM_${variable}: ${rest}`);
    this.variable = variable;
    this.partner = partner;
    this.#rest = rest;
  }

  /** The same in terms of flags: of this setting, and of its partner if that came by one. */
  saidBy(flag: string, partnerFlag?: string): ConfigError {
    const rest =
      partnerFlag === undefined
        ? this.#rest
        : this.#rest.replace(`PLATFORM_${this.partner}`, () => partnerFlag);
    this.message = `${flag}: ${rest}`;
    return this;
  }
}
