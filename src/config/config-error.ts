/** The message is one line for the user: the setting, the problem and an example. */
export class ConfigError extends Error {
  /** The name of the setting, without `PLATFORM_`. */
  readonly variable: string;
  /** Another setting that the problem involves, without `PLATFORM_`. */
  readonly partner: string | undefined;
  readonly #rest: string;

  constructor(variable: string, problem: string, example: string, partner?: string) {
    const rest = `${problem} (for example: ${example})`;
    super(`PLATFORM_${variable}: ${rest}`);
    this.variable = variable;
    this.partner = partner;
    this.#rest = rest;
  }

  /** Replaces the variables in the message with the flags that set them. */
  saidBy(flag: string, partnerFlag?: string): ConfigError {
    const rest =
      partnerFlag === undefined
        ? this.#rest
        : this.#rest.replace(`PLATFORM_${this.partner}`, () => partnerFlag);
    this.message = `${flag}: ${rest}`;
    return this;
  }
}
